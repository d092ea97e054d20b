// SPDX-License-Identifier: Apache-2.0
#include "agent/handle_shapes.h"

#include <optional>
#include <string>
#include <string_view>

#include "agent/access_modes.h"

namespace deadheat::agent {

namespace {

constexpr std::string_view kInvoke = "java.lang.invoke.";

void set(HandleShape& shape, HandlePart part, jlong value) { shape[static_cast<std::size_t>(part)] = value; }
void set(HandleShape& shape, HandleKind kind) { set(shape, HandlePart::kKind, static_cast<jlong>(kind)); }

// An object of the JDK, looked into by field name.
class Peek {
 public:
  Peek(JNIEnv* jni, jobject object) : jni_(jni), object_(object), type_(jni->GetObjectClass(object)) {}

  jclass type() const { return type_; }
  bool has(const char* name, const char* descriptor) const { return field(name, descriptor) != nullptr; }
  std::optional<jlong> number(const char* name) const {
    if (const jfieldID id = field(name, "J")) return jni_->GetLongField(object_, id);
    if (const jfieldID id = field(name, "I")) return jni_->GetIntField(object_, id);
    return std::nullopt;
  }
  // Null if there is no such field, too.
  jobject reference(const char* name, const char* descriptor) const {
    const jfieldID id = field(name, descriptor);
    return id == nullptr ? nullptr : jni_->GetObjectField(object_, id);
  }
  std::string text(const char* name) const {
    return to_string(static_cast<jstring>(reference(name, "Ljava/lang/String;")));
  }
  std::string class_name() const { return name_of(type_); }

  // java.lang.Class keeps its name in a field once it was asked for; asking is a call that runs no other Java code.
  std::string name_of(jclass type) const {
    const jmethodID get = jni_->GetMethodID(jni_->GetObjectClass(type), "getName", "()Ljava/lang/String;");
    const auto name = static_cast<jstring>(jni_->CallObjectMethod(type, get));
    jni_->ExceptionClear();
    return to_string(name);
  }

 private:
  jfieldID field(const char* name, const char* descriptor) const {
    const jfieldID id = jni_->GetFieldID(type_, name, descriptor);
    if (id == nullptr) jni_->ExceptionClear();
    return id;
  }
  std::string to_string(jstring text) const {
    if (text == nullptr) return "";
    const char* characters = jni_->GetStringUTFChars(text, nullptr);
    std::string copy = characters == nullptr ? "" : characters;
    if (characters != nullptr) jni_->ReleaseStringUTFChars(text, characters);
    return copy;
  }

  JNIEnv* const jni_;
  const jobject object_;
  const jclass type_;
};

// A handle that was looked up before its class was initialised (JDK 22 and later) wraps the real one. So does one with
// other coordinates, which are not those of the real one: it stays what it is.
jobject unwrap(JNIEnv* jni, jobject handle) {
  const Peek wrapper(jni, handle);
  if (!wrapper.class_name().ends_with(".LazyInitializingVarHandle")) return handle;
  const jobject target = wrapper.reference("target", "Ljava/lang/invoke/VarHandle;");
  return target == nullptr ? handle : target;
}

// VarHandleByteArrayAsInts$ArrayHandle, VarHandleByteArrayAsLongs$ByteBufferHandle, …
void describe_view(std::string_view name, HandleShape& shape) {
  constexpr std::string_view kView = "VarHandleByteArrayAs";
  if (!name.starts_with(kView)) return;
  name.remove_prefix(kView.size());
  const std::string_view element = name.substr(0, name.find('$'));
  const bool two = element == "Shorts" || element == "Chars";
  const bool four = element == "Ints" || element == "Floats";
  set(shape, name.ends_with("$ByteBufferHandle") ? HandleKind::kBufferView : HandleKind::kByteArrayView);
  set(shape, HandlePart::kSize, two ? 1 : four ? 2 : 3);
}

// MemberName.flags: the kind of reference (JVMS 5.4.3.5) above the modifiers.
constexpr int kReferenceKindShift = 24;
constexpr jlong kReferenceKindMask = 15;
constexpr jlong kPutField = 3;
constexpr jlong kPutStatic = 4;
constexpr jlong kVolatile = 0x40;

jlong accessor_mode(jlong flags) {
  const jlong kind = flags >> kReferenceKindShift & kReferenceKindMask;
  const bool writes = kind == kPutField || kind == kPutStatic;
  if (flags & kVolatile) return writes ? kSet | kModeReleases : kGet | kModeAcquires;
  return (writes ? kSet : kGet) | kModePlain;
}

// VarHandle.toMethodHandle: the implementation of the access method with the VarHandle bound to it.
void describe_bound(JNIEnv* jni, const FieldResolver& resolver, const Peek& handle, HandleShape& shape) {
  const jobject target = handle.reference("argL0", "Ljava/lang/Object;");
  const jobject bound = handle.reference("argL1", "Ljava/lang/Object;");
  if (target == nullptr || bound == nullptr) return;
  const jobject member = Peek(jni, target).reference("member", "Ljava/lang/invoke/MemberName;");
  if (member == nullptr) return;
  const Peek method(jni, member);
  const jobject owner = method.reference("clazz", "Ljava/lang/Class;");
  if (owner == nullptr) return;
  const std::string owner_name = method.name_of(static_cast<jclass>(owner));
  if (!owner_name.starts_with(std::string(kInvoke) + "VarHandle")) return;
  const std::string name = method.text("name");
  for (const HandleMethod& known : handle_methods()) {
    if (known.name != name) continue;
    set(shape, HandleKind::kBoundHandle);
    set(shape, HandlePart::kMode, known.mode);
    set(shape, HandlePart::kOffset, resolver.offset_of(jni, handle.type(), "argL1"));
  }
}

// The offset of a field of the class or of a superclass; 0 if there is none of that name. Unsafe is asked about the
// class that declares it alone: else it throws an error of the kind at which the VM drops the thread's scoped values.
jlong inherited_offset(JNIEnv* jni, const FieldResolver& resolver, jclass type, const char* name) {
  const auto has = [&](jclass in) {
    if (in != nullptr && jni->GetFieldID(in, name, "Ljava/lang/Class;") != nullptr) return true;
    jni->ExceptionClear();
    return false;
  };
  if (!has(type)) return 0;
  jclass declares = type;
  for (jclass super = jni->GetSuperclass(type); has(super); super = jni->GetSuperclass(super)) declares = super;
  const jlong offset = resolver.offset_of(jni, declares, name);
  return offset > 0 ? offset : 0;
}

}  // namespace

HandleShape shape_of_var_handle(JNIEnv* jni, const FieldResolver& resolver, jobject wrapped) {
  HandleShape shape{};
  const jobject unwrapped = unwrap(jni, wrapped);
  const Peek handle(jni, unwrapped);
  const bool direct = jni->IsSameObject(unwrapped, wrapped);
  if (const auto offset = handle.number("fieldOffset")) {
    set(shape, handle.has("base", "Ljava/lang/Object;") ? HandleKind::kStaticField : HandleKind::kInstanceField);
    set(shape, HandlePart::kOffset, *offset);
    if (direct) set(shape, HandlePart::kGuard, inherited_offset(jni, resolver, handle.type(), "receiverType"));
  } else if (const auto base = handle.number("abase")) {
    set(shape, HandleKind::kArrayElement);
    set(shape, HandlePart::kOffset, *base);
    set(shape, HandlePart::kScale, handle.number("ashift").value_or(0));
    if (direct) set(shape, HandlePart::kGuard, inherited_offset(jni, resolver, handle.type(), "componentType"));
  } else if (const std::string name = handle.class_name(); name.starts_with(kInvoke)) {
    describe_view(std::string_view(name).substr(kInvoke.size()), shape);
  }
  return shape;
}

HandleShape shape_of_method_handle(JNIEnv* jni, const FieldResolver& resolver, jobject object) {
  HandleShape shape{};
  const Peek handle(jni, object);
  const std::string name = handle.class_name();
  const jobject member = handle.reference("member", "Ljava/lang/invoke/MemberName;");
  const jlong flags = member == nullptr ? 0 : Peek(jni, member).number("flags").value_or(0);
  if (name == "java.lang.invoke.DirectMethodHandle$Accessor") {
    set(shape, HandleKind::kInstanceField);
    set(shape, HandlePart::kOffset, handle.number("fieldOffset").value_or(0));
    set(shape, HandlePart::kMode, accessor_mode(flags));
  } else if (name == "java.lang.invoke.DirectMethodHandle$StaticAccessor") {
    set(shape, HandleKind::kStaticField);
    set(shape, HandlePart::kOffset, handle.number("staticOffset").value_or(0));
    set(shape, HandlePart::kScale, resolver.offset_of(jni, handle.type(), "staticBase"));
    set(shape, HandlePart::kMode, accessor_mode(flags));
  } else if (const jobject intrinsic =
                 handle.reference("intrinsicName", "Ljava/lang/invoke/MethodHandleImpl$Intrinsic;")) {
    const std::string what = Peek(jni, intrinsic).text("name");
    if (what == "ARRAY_LOAD" || what == "ARRAY_STORE") {
      set(shape, HandleKind::kArrayElement);
      set(shape, HandlePart::kMode, (what == "ARRAY_LOAD" ? kGet : kSet) | kModePlain);
    }
  } else if (name == "java.lang.invoke.BoundMethodHandle$Species_LL") {
    describe_bound(jni, resolver, handle, shape);
  }
  return shape;
}

jobject static_base_of(JNIEnv* jni, jobject wrapped) {
  return Peek(jni, unwrap(jni, wrapped)).reference("base", "Ljava/lang/Object;");
}

}  // namespace deadheat::agent
