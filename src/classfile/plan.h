// SPDX-License-Identifier: Apache-2.0
//
// What an instrumenter puts into a class: which static methods are called at which points, and who is asked about each
// point. The plan knows no detector and no JVM; it is made once by the front end and shared by all threads that load
// classes.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classfile/constant_pool.h"

namespace deadheat::classfile {

// A static method that inserted code calls. An empty owner: the point is left alone.
using Hook = MemberRef;

// One call instruction with a meaning of its own.
struct CallRule {
  enum class Action : std::uint8_t {
    kReplace,  // call the hook instead: receiver (if any) and arguments as they are, then the site if `with_site`
    kBeforeReceiver,  // before a call without arguments: hook(receiver[, site])
    kBeforeLast,      // before a call whose last argument is a reference: hook(last argument)
    kAfter,           // after the call: hook()
    kAroundOffset,    // Unsafe: before(object, offset) and after(object, offset) around a call (object, long, …)
    kAround,          // hook() before and after(), which may be empty, behind a call
    kAroundReceiver,  // before(receiver) and after() around a call
    kArrayArgument,  // before a static call (array, …): `hook`(array, site). For (array, int from, int to, …), if it is
                     // set, `after`(array, from, to, site); with `values` 1 for (array, int count, …), from 0.
    kClone,               // Object.clone(): hook(receiver, site) before if there is a site, after(result) behind
    kAroundVarHandle,     // VarHandle: before(handle, coordinates) and after(handle, coordinates) around an access
    kAroundMethodHandle,  // sited hooks only: before and after(handle, first argument if a reference, second if an int,
                          // site) around the invocation of a method handle with up to four arguments
    kAroundOperands,      // sited hooks only: before(first operands, site) and after(first operands, site)
  };
  std::string_view owner;  // empty: any
  std::string_view name;
  std::string_view descriptor;  // empty: any
  Action action;
  Hook hook;   // kAroundX: in front, may be empty
  Hook after;  // kAroundX: behind, may be empty
  bool with_site = false;
  Hook held;  // With InstrumentOptions::held_arrays. kReplace: called instead of `hook`, with the hint as one more
              // argument. kArrayArgument: (array, from, to, site, hint), where `to` is the largest int for all of it.
  std::string_view within;  // only in this class; empty: anywhere
  // kAroundVarHandle: how many of the last arguments are values, the rest are coordinates. kAroundOperands: how many of
  // the first operands, receiver included, the hooks get. kArrayArgument: see there.
  std::uint8_t values = 0;

  // Accesses of variables by way of a call (kAroundOffset, kAroundVarHandle, kAroundOperands). Where the guide gives
  // the call a site these are called in place of `hook` and `after`: operands, `detail` unless it is 0, site. The
  // operands of a VarHandle are always (handle, Object, int), null and 0 for coordinates it does not have.
  Hook sited_hook;
  Hook sited_after;
  std::int32_t detail = 0;
  // Of a call that returns whether it has written. Without a site `hook` returns a long and `after` is given (boolean
  // result, operands, that long). With one `stamp`() → long is called first, `sited_hook` and then `sited_second`
  // return longs, and `sited_after` is given (boolean result, operands, the longs of sited_hook, sited_second and
  // stamp, detail, site).
  bool answers = false;
  Hook stamp;
  Hook sited_second;
  bool is_sited() const { return !sited_hook.owner.empty() || !sited_after.owner.empty(); }
  bool anywhere = false;  // with_site: also in classes whose arrays are not watched
};

// The hooks by kind of point. Arguments in the order in which they are passed. The texts must outlive the plan.
class Plan {
 public:
  Hook field_read;   // (Object, int site) after a getfield
  Hook field_write;  // (Object, int site) before a putfield; the object may be null
  // For field_read and field_write where the field was checked before, unless it is volatile, as fields of other
  // classes may be; empty: such a point is told again.
  Hook field_read_again;
  Hook field_write_again;
  // (Object, int site of the write) after a getfield whose value goes into a putfield of the same field: field_write,
  // or field_read of a volatile field. Before the putfield there is field_write_again if need be.
  Hook field_update;
  Hook static_read;   // (int site) after a getstatic
  Hook static_write;  // (int site) before a putstatic
  // (Object array, int index, int site, hint) → the next hint. Before an array access; the array may be null, the index
  // out of bounds. A hint is what the same method was last told of an array, null at first.
  Hook array_read;
  Hook array_write;
  // (Object array, int index, Object value, int site, hint) → the next hint: array_write for aastore, which may throw
  // because of the value.
  Hook reference_write;
  std::string_view hint_class = "java/lang/Object";  // of these hints
  // With InstrumentOptions::held_arrays, without a result: the hint is what array_loaded said of the field read last.
  Hook held_read;
  Hook held_write;
  Hook held_passing;  // (Object hint) before a call of a method of the same class that may be given a held array
  Hook held_passed;   // () → Object: that hint, at the start of a method that uses arrays but reads none from a field
  // (Object array, int index) before an array store, with InstrumentOptions::publishing_stores and nothing else of
  // arrays
  Hook element_published;
  Hook array_loaded;  // (Object, Object array, int site) → Object: the hint. For field_read, where the field holds an
                      // array
  // With InstrumentOptions::known_arrays: (Object, Object array, int site of field_read, hint) → the next hint. Behind
  // field_read, where elements of the array are accessed by the same method.
  Hook array_known;
  // With InstrumentOptions::handed_arrays (handed_arrays.cc). A hint of the first three may say that the array is the
  // thread's own: then nothing is told, and it stays.
  Hook own_read;
  Hook own_write;
  Hook own_reference_write;
  Hook array_passed;         // (int token, int last) → hint: at the start of a method, for each parameter
  Hook array_handing;        // (int token, hint): before a call
  Hook array_handing_fresh;  // (int token): before a call
  Hook array_handed;         // (): behind that call, and before one that is given no such array
  Hook array_keeping;        // (int token, hint): before the method returns
  Hook array_kept;           // (int token) → hint: behind the call
  Hook array_making;         // (int token, or 0): before an array is returned, and before a call that returns one
  Hook array_making_if;      // (int token, hint): before an array is returned
  Hook array_made;           // (int token) → hint: behind the call
  Hook monitor_lookup;       // (Object) → Object, before a monitorenter
  Hook monitor_entered;      // (Object: what monitor_lookup returned, int: lock_site()) after a monitorenter
  Hook monitor_exiting;      // (Object) before a monitorexit and at every exit of a synchronized method
  // (Object) in place of monitor_exiting, where PointGuide::only_hands_on(); there is no hook then where it is entered.
  Hook monitor_handing_on;
  Hook method_entered;  // (Object, int: lock_site()) at the start of a synchronized method
  Hook caller_class;    // () → Object: the calling class, for static synchronized methods of classes too old for `ldc
                        // class`
  // For a gate at lock requests, beside the hooks above or without them; where the guide gives the monitor a site.
  Hook lock_request;  // (Object, int site) before a monitorenter; the object may be null
  // () behind a monitorenter, after the hooks above; may be empty. Where monitors are watched too, synchronized methods
  // become blocks (and lose the flag), so that the request comes first; else they tell their request first thing, with
  // the monitor held.
  Hook lock_acquired;
  Hook lock_release;  // (Object, int site) before a monitorexit, behind the hooks above; may be empty
  // For a scheduler, which must know before a thread can block. With monitor_request set, the four hooks above are not
  // used, synchronized methods become blocks (and lose the flag), and reads are told before they happen as writes are.
  Hook monitor_request;  // (Object, int site) before a monitorenter; the object may be null
  Hook monitor_release;  // (Object, int site) before a monitorexit
  Hook region_entered;   // () first thing in class initialisers and in methods that PointGuide::is_region() names
  Hook region_left;      // () last thing in them, whichever way they end
  Hook atomic_entered;   // (int) first thing in methods that PointGuide::atomic_region() gives a number
  Hook atomic_left;      // (int) last thing in them, whichever way they end
  Hook whole_entered;    // (Object this, int what, int site) first thing in methods that PointGuide::whole_call() names
  Hook whole_left;       // (Object this, int what, int site) last thing in them, whichever way they end
  Hook class_used;  // (int init) at the start of the static methods and constructors of a class with an initialiser
  Hook initialiser_begins;  // (int init) at the start of a class initialiser
  Hook initialiser_ends;    // (int init) at the returns of a class initialiser
  Hook initialiser_fails;   // () when it throws
  Hook dynamic_used;        // (int) before an invokedynamic or a dynamic constant that PointGuide::dynamic_use() names
  Hook dynamic_linked;      // (int) behind it

  Hook constructed;  // (Object, int) last thing in constructors, whichever way they end: InstrumentOptions::finalizable
  Hook freeze;       // () → long: see InstrumentOptions::freeze_field
  Hook frozen;       // (Object): see InstrumentOptions::tells_freezes
  // (long): before `this.f` is read where f is a field of the class that the guide gives a site, what is in
  // freeze_field. For classes whose fields have no words; else field_read looks for itself.
  Hook frozen_read;
  // (Object, Object, int site): before an invokedynamic that is equals, hashCode or toString of a record, the record
  // and what it is compared with, or null. java.lang.runtime.ObjectMethods links them to code that reads the
  // components.
  Hook record_read;
  // With InstrumentOptions::contexts, in methods that make calls (context_points.cc):
  Hook context_entry;       // () → the object with the calling context, at the start
  MemberRef context_value;  // its field, an int
  Hook context_leave;  // (int): sets that field when the method returns, where the object is better not kept till then

  bool for_scheduler() const { return !monitor_request.owner.empty(); }
  bool gates_locks() const { return !lock_request.owner.empty(); }
  bool watches_monitors() const { return !monitor_lookup.owner.empty(); }

  // Of the rules for one name the first that matches a call is taken.
  void add_call(const CallRule& rule) { calls_[rule.name].push_back(rule); }
  const CallRule* call_rule(const MemberRef& method, std::string_view caller) const;

 private:
  std::unordered_map<std::string_view, std::vector<CallRule>> calls_;  // by name: most calls match nothing
};

enum class PointKind : std::uint8_t {
  kFieldRead,
  kFieldWrite,
  kStaticRead,
  kStaticWrite,
  kArrayRead,
  kArrayWrite,
  kCall,
  kMonitor  // member is null; a synchronized method has one at bytecode index 0
};

// A place in a method where a hook with a site may go.
struct Point {
  PointKind kind;
  std::uint32_t method;  // index in ClassFile::methods
  std::uint32_t bytecode_index;
  const MemberRef* member;  // the field or the called method; null for arrays
  // The method has no room for all its hooks: a plain access is to be left alone (InstrumentOptions::orders_only).
  bool orders_only = false;
};

// Asked about each point of one class; implemented by the front end.
class PointGuide {
 public:
  virtual ~PointGuide() = default;
  // The number that names the point in hook calls, or 0 to leave it alone.
  virtual std::uint32_t site(const Point& point) = 0;
  // The number that names a call in calling contexts, or 0 for a call that leads to no code of interest. The member is
  // null for an invokedynamic.
  virtual std::uint32_t call_site(const Point&) { return 0; }
  // The number that names a place where a monitor is entered, for the hooks that tell it was; may be 0.
  virtual std::uint32_t lock_site(const Point&) { return 0; }
  // Whether the synchronized blocks of the method only tell later owners of the monitor what has been done, and learn
  // nothing themselves.
  virtual bool only_hands_on(std::uint32_t method) {
    (void)method;
    return false;
  }
  // The number that names what a record's method reads of its frozen fields (Plan::record_read), or 0.
  virtual std::uint32_t record_site(const Point&) { return 0; }
  // The number of what is linked at its first use by this bootstrap method, or 0: an invokedynamic each for itself, a
  // dynamic constant (`constant` is its index in the pool, else 0) once for its class.
  virtual std::uint32_t dynamic_use(const MemberRef& bootstrap, std::uint32_t constant) {
    (void)bootstrap, (void)constant;
    return 0;
  }
  // Whether site() may give any access of this field a number. No saves looking at methods that have no other points.
  virtual bool may_watch(const MemberRef& field) {
    (void)field;
    return true;
  }
  // Whether is_region(), atomic_region() or whole_call() may have anything to say of the method; no likewise.
  virtual bool may_wrap(std::uint32_t method) {
    (void)method;
    return true;
  }
  // Whether accesses of this field may order threads: a volatile field, or one of which nothing is known.
  virtual bool may_order(const MemberRef& field) = 0;
  // Whether this call is known to neither publish nor run a class initialiser.
  virtual bool is_quiet_call(const MemberRef&) { return false; }
  // With Plan::region_entered: whether the method gets the hooks of a region (class initialisers always do).
  virtual bool is_region(std::uint32_t method) {
    (void)method;
    return false;
  }
  // With Plan::atomic_entered: a number for a method that is meant to be atomic, or 0. Constructors are not asked
  // about.
  virtual std::uint32_t atomic_region(std::uint32_t method) {
    (void)method;
    return 0;
  }
  // With Plan::whole_entered: a method, not static, whose calls mean something as a whole. What 0: none.
  struct WholeCall {
    std::uint32_t what = 0;
    std::uint32_t site = 0;
  };
  virtual WholeCall whole_call(std::uint32_t method) {
    (void)method;
    return {};
  }
  // Called for a method that is left as it was; `reason` is for people.
  virtual void skipped(std::uint32_t method, std::string_view reason) = 0;
  // Called for a method whose points were asked for with Point::orders_only, because it could not take all of them.
  virtual void accesses_skipped(std::uint32_t method, std::string_view reason) { (void)method, (void)reason; }
};

}  // namespace deadheat::classfile
