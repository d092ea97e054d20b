// SPDX-License-Identifier: Apache-2.0
//
// Finds the words of a variable when a site runs for the first time, by the JVM's own rules of field resolution: from
// the class the site names upwards to the first that declares the field. By then the classes exist. Called on the
// thread that runs the site, from a native method; runs no Java code.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <mutex>
#include <vector>

#include "agent/class_table.h"
#include "agent/site_table.h"

namespace deadheat::agent {

class FieldResolver {
 public:
  // `by_number`: fields have no words, a site is told the number of its field (the controlled scheduler).
  FieldResolver(jvmtiEnv* jvmti, ClassTable& classes, bool by_number)
      : jvmti_(jvmti), classes_(classes), by_number_(by_number) {}

  // Looks up what it needs of java.lang, once. Initialises ClassLoader, so not before the VM has done so itself. False:
  // this JDK is not as expected.
  bool start(JNIEnv* jni);

  // The encoded place of the site's variable (shim_layout.h): kNone for what is not watched, never 0.
  std::int64_t resolve_instance(JNIEnv* jni, jobject object, const Site& site);
  std::int64_t resolve_static(JNIEnv* jni, const Site& site);
  // The offset of the sync word of the volatile field at `offset` in instances of `type`, or -1. By number: that of the
  // field, which need not be volatile.
  std::int64_t sync_word_of(JNIEnv* jni, jclass type, std::int64_t offset);

  // Finds out the superclasses of a class that has been loaded, where two loaders have classes of their names. Looks
  // at all loaded classes then.
  void learn_supers(JNIEnv* jni, const ClassInfo& info);

  // The offset of the word of the monitor of instances of `type`, or -1. (If a class and its superclass have one, it is
  // that of the subclass.)
  std::int64_t monitor_word_of(JNIEnv* jni, jclass type);
  // The offset of the number of instances of `type` when a run is recorded, or -1. If a class and its superclass have
  // one, it is that of the superclass: the same whatever class the object is taken for.
  std::int64_t number_offset_of(JNIEnv* jni, jclass type);
  // The address of the sync word of the static volatile field at `offset` of `type`, or -1.
  std::int64_t static_sync_word_of(JNIEnv* jni, jclass type, std::int64_t offset);
  // The field at `offset` in instances of `type` or, with `is_static`, among the static fields it declares.
  struct FoundField {
    ClassInfo* owner = nullptr;  // null: none that the agent knows
    FieldInfo* field = nullptr;
    std::int64_t where = 0;  // as from resolve_…
  };
  FoundField field_at(JNIEnv* jni, jclass type, bool is_static, std::int64_t offset);

  // The offsets of all our words in instances of `type`, inherited ones included, in threes: last write, last read and
  // the field itself; or a sync word, -1 and the field; or the word of the monitor, -1 and 0; or a freeze
  // word, kFreezeWord and 0.
  std::vector<jlong> words_in(JNIEnv* jni, jclass type);

  LoaderId loader_id(JNIEnv* jni, jobject loader);
  bool is_platform_loader(JNIEnv* jni, jobject loader) const;
  std::int64_t offset_of(JNIEnv* jni, jclass type, const char* field) const;
  // What the agent knows of a class that exists, or null.
  ClassInfo* info_of(JNIEnv* jni, jclass type);

 private:
  std::int64_t place_of(JNIEnv* jni, jclass type, ClassInfo& info, FieldInfo& field);
  jclass class_of(JNIEnv* jni, const ClassInfo& info);
  jclass class_named(JNIEnv* jni, const Site& site);
  jclass owner_of(JNIEnv* jni, jobject object, const Site& site);
  static std::int64_t number_of(const FieldInfo& field);
  // Of an instance field: what is left for code whose accesses are not watched.
  static std::int64_t without_accesses(std::int64_t where);

  jvmtiEnv* const jvmti_;
  ClassTable& classes_;
  const bool by_number_;
  std::mutex numbering_;          // of loaders: two threads may make a loader define two classes at once
  std::int32_t next_loader_ = 1;  // under numbering_
  // Set by start(), constant afterwards.
  jobject unsafe_ = nullptr;
  jmethodID object_field_offset_ = nullptr;
  jfieldID loader_field_ = nullptr;
  jclass class_loader_ = nullptr;
  jmethodID find_loaded_class_ = nullptr;
  jmethodID find_boot_class_ = nullptr;
};

}  // namespace deadheat::agent
