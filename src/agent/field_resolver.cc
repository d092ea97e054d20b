// SPDX-License-Identifier: Apache-2.0
#include "agent/field_resolver.h"

#include <algorithm>
#include <string>

#include "agent/class_rewriter.h"
#include "classfile/class_file.h"

namespace deadheat::agent {

namespace {

constexpr std::int64_t kNone = static_cast<std::int64_t>(WhereKind::kNone);

// A JVMTI-allocated text that goes with its scope.
class JvmtiText {
 public:
  explicit JvmtiText(jvmtiEnv* jvmti) : jvmti_(jvmti) {}
  ~JvmtiText() {
    if (text_ != nullptr) jvmti_->Deallocate(reinterpret_cast<unsigned char*>(text_));
  }
  JvmtiText(const JvmtiText&) = delete;
  JvmtiText& operator=(const JvmtiText&) = delete;
  char** out() { return &text_; }
  // The internal name in a signature: La/b/C; → a/b/C.
  std::string_view class_name() const {
    std::string_view text = text_ == nullptr ? "" : text_;
    return text.size() > 2 && text.front() == 'L' ? text.substr(1, text.size() - 2) : text;
  }

 private:
  jvmtiEnv* jvmti_;
  char* text_ = nullptr;
};

bool cleared(JNIEnv* jni) {
  if (!jni->ExceptionCheck()) return false;
  jni->ExceptionClear();
  return true;
}

}  // namespace

bool FieldResolver::start(JNIEnv* jni) {
  if (unsafe_ != nullptr) return true;
  const jclass unsafe = jni->FindClass("jdk/internal/misc/Unsafe");
  if (cleared(jni) || unsafe == nullptr) return false;
  const jfieldID instance = jni->GetStaticFieldID(unsafe, "theUnsafe", "Ljdk/internal/misc/Unsafe;");
  object_field_offset_ = jni->GetMethodID(unsafe, "objectFieldOffset1", "(Ljava/lang/Class;Ljava/lang/String;)J");
  if (cleared(jni)) return false;
  const jclass loader = jni->FindClass("java/lang/ClassLoader");
  if (cleared(jni) || loader == nullptr) return false;
  class_loader_ = static_cast<jclass>(jni->NewGlobalRef(loader));
  loader_field_ = jni->GetFieldID(loader, std::string(kLoaderField).c_str(), "I");
  find_loaded_class_ = jni->GetMethodID(loader, "findLoadedClass0", "(Ljava/lang/String;)Ljava/lang/Class;");
  find_boot_class_ = jni->GetStaticMethodID(loader, "findBootstrapClass", "(Ljava/lang/String;)Ljava/lang/Class;");
  if (cleared(jni)) return false;
  unsafe_ = jni->NewGlobalRef(jni->GetStaticObjectField(unsafe, instance));
  return unsafe_ != nullptr;
}

LoaderId FieldResolver::loader_id(JNIEnv* jni, jobject loader) {
  if (loader == nullptr || (loader_field_ == nullptr && !start(jni))) return LoaderId{};
  jint number = jni->GetIntField(loader, loader_field_);
  if (number == 0) {
    const std::lock_guard<std::mutex> lock(numbering_);
    number = jni->GetIntField(loader, loader_field_);
    if (number == 0) jni->SetIntField(loader, loader_field_, number = next_loader_++);
  }
  return LoaderId{number};
}

bool FieldResolver::is_platform_loader(JNIEnv* jni, jobject loader) const {
  const jclass type = jni->GetObjectClass(loader);
  JvmtiText signature(jvmti_);
  const bool platform = jvmti_->GetClassSignature(type, signature.out(), nullptr) == JVMTI_ERROR_NONE &&
                        signature.class_name() == "jdk/internal/loader/ClassLoaders$PlatformClassLoader";
  jni->DeleteLocalRef(type);
  return platform;
}

ClassInfo* FieldResolver::info_of(JNIEnv* jni, jclass type) {
  JvmtiText signature(jvmti_);
  jobject loader = nullptr;
  if (jvmti_->GetClassSignature(type, signature.out(), nullptr) != JVMTI_ERROR_NONE) return nullptr;
  if (jvmti_->GetClassLoader(type, &loader) != JVMTI_ERROR_NONE) return nullptr;
  const LoaderId id = loader_id(jni, loader);
  if (loader != nullptr) jni->DeleteLocalRef(loader);
  return classes_.find(signature.class_name(), id);
}

std::int64_t FieldResolver::offset_of(JNIEnv* jni, jclass type, const char* field) const {
  const jstring name = jni->NewStringUTF(field);
  if (name == nullptr) {
    cleared(jni);
    return -1;
  }
  const jlong offset = jni->CallLongMethod(unsafe_, object_field_offset_, type, name);
  jni->DeleteLocalRef(name);
  return cleared(jni) ? -1 : offset;
}

// The class of the object, or a superclass, that the site names. Two loaders may have classes of one name, of which one
// extends the other: only then is it asked which of them the site's code means.
jclass FieldResolver::owner_of(JNIEnv* jni, jobject object, const Site& site) {
  std::vector<jclass> named;
  for (jclass type = jni->GetObjectClass(object); type != nullptr;) {
    JvmtiText signature(jvmti_);
    jvmti_->GetClassSignature(type, signature.out(), nullptr);
    const jclass super = jni->GetSuperclass(type);
    if (signature.class_name() == site.field->owner) {
      named.push_back(type);
    } else {
      jni->DeleteLocalRef(type);
    }
    type = super;
  }
  if (named.empty()) return nullptr;
  jclass owner = named.front();
  if (named.size() > 1) {
    const jclass meant = class_named(jni, site);
    for (const jclass type : named) {
      if (jni->IsSameObject(type, meant)) owner = type;
    }
    if (meant != nullptr) jni->DeleteLocalRef(meant);
  }
  for (const jclass type : named) {
    if (type != owner) jni->DeleteLocalRef(type);
  }
  return owner;
}

std::int64_t FieldResolver::resolve_instance(JNIEnv* jni, jobject object, const Site& site) {
  FieldUse& use = *site.field;
  std::int64_t where = use.where.load(std::memory_order_acquire);
  if (where == 0) {
    where = kNone;
    jclass type = owner_of(jni, object, site);
    while (type != nullptr) {
      ClassInfo* info = info_of(jni, type);
      FieldInfo* field = info == nullptr ? nullptr : info->find_field(use.name, use.descriptor);
      if (field != nullptr) {
        where = place_of(jni, type, *info, *field);
        break;
      }
      const jclass super = jni->GetSuperclass(type);
      jni->DeleteLocalRef(type);
      type = super;
    }
    if (type != nullptr) jni->DeleteLocalRef(type);
    use.where.store(where, std::memory_order_release);
  }
  return site.sync_only ? without_accesses(where) : where;
}

std::int64_t FieldResolver::without_accesses(std::int64_t where) {
  const auto kind = static_cast<WhereKind>(where & kWhereKindMask);
  if (kind == WhereKind::kOpenFrozen) {
    return (where >> kHeldOffsetShift & kOffsetMask) << kWriteOffsetShift |
           static_cast<std::int64_t>(WhereKind::kFrozen);
  }
  return has_access_words(kind) ? kNone : where;
}

std::int64_t FieldResolver::place_of(JNIEnv* jni, jclass type, ClassInfo& info, FieldInfo& field) {
  std::int64_t where = field.where.load(std::memory_order_acquire);
  if (where != 0 || field.kind == WhereKind::kNone) return where == 0 ? kNone : where;
  if (by_number_) {
    const std::int64_t offset = number_offset_of(jni, type);
    where = number_of(field) | (offset > 0 && offset <= kOffsetMask ? offset << kHeldOffsetShift : 0);
    field.where.store(where, std::memory_order_release);
    return where;
  }
  const auto index = static_cast<std::size_t>(std::distance(
      info.fields.begin(),
      std::find_if(info.fields.begin(), info.fields.end(), [&](const FieldInfo& f) { return &f == &field; })));
  const bool plain = has_access_words(field.kind);
  const std::string word =
      field.kind == WhereKind::kFrozen ? std::string(kFreezeField) : word_name(plain ? 'w' : 's', index);
  const bool elsewhere = field.kind == WhereKind::kVolatile && !info.has_words;
  const std::int64_t first = elsewhere ? 0 : offset_of(jni, type, word.c_str());
  const std::int64_t second = plain       ? offset_of(jni, type, word_name('r', index).c_str())
                              : elsewhere ? offset_of(jni, type, field.name.c_str())
                                          : 0;
  const std::int64_t third = is_open(field.kind)       ? offset_of(jni, type, std::string(kFreezeField).c_str())
                             : info.knows_array(field) ? offset_of(jni, type, word_name('a', index).c_str())
                                                       : 0;
  if (first < 0 || second < 0 || third < 0 || std::max({first, second, third}) > kOffsetMask) return kNone;
  where = first << kWriteOffsetShift | second << kReadOffsetShift | third << kHeldOffsetShift |
          static_cast<std::int64_t>(field.kind);
  field.where.store(where, std::memory_order_release);
  return where;
}

std::int64_t FieldResolver::number_of(const FieldInfo& field) {
  if (field.kind == WhereKind::kNone) return kNone;
  return std::int64_t{field.number} << kFieldShift | static_cast<std::int64_t>(field.kind);
}

// The class the site's code names, found without running a class loader's code: it has been resolved there already, so
// its loader has it on record.
jclass FieldResolver::class_named(JNIEnv* jni, const Site& site) {
  // Frame 0 is the native method; the first frame outside the shim is the site's method.
  jvmtiFrameInfo frames[8];
  jint count = 0;
  if (jvmti_->GetStackTrace(nullptr, 0, 8, frames, &count) != JVMTI_ERROR_NONE) return nullptr;
  for (jint i = 0; i < count; ++i) {
    jclass type = nullptr;
    if (jvmti_->GetMethodDeclaringClass(frames[i].method, &type) != JVMTI_ERROR_NONE) continue;
    JvmtiText signature(jvmti_);
    jvmti_->GetClassSignature(type, signature.out(), nullptr);
    if (signature.class_name().starts_with("java/lang/Deadheat")) {
      jni->DeleteLocalRef(type);
      continue;
    }
    if (signature.class_name() == site.field->owner) return type;
    jobject loader = nullptr;
    jvmti_->GetClassLoader(type, &loader);
    std::string name = site.field->owner;
    std::replace(name.begin(), name.end(), '/', '.');
    const jstring text = jni->NewStringUTF(name.c_str());
    jobject found = nullptr;
    if (loader == nullptr) {
      found = jni->CallStaticObjectMethod(class_loader_, find_boot_class_, text);
    } else {
      found = jni->CallObjectMethod(loader, find_loaded_class_, text);
    }
    cleared(jni);
    jni->DeleteLocalRef(text);
    jni->DeleteLocalRef(type);
    if (loader != nullptr) jni->DeleteLocalRef(loader);
    return static_cast<jclass>(found);
  }
  return nullptr;
}

// Of all loaded classes the one that was rewritten as `info`: the JVM does not look classes up by the number of their
// loader.
jclass FieldResolver::class_of(JNIEnv* jni, const ClassInfo& info) {
  jint count = 0;
  jclass* classes = nullptr;
  if (jvmti_->GetLoadedClasses(&count, &classes) != JVMTI_ERROR_NONE) return nullptr;
  jclass found = nullptr;
  for (jint i = 0; i < count; ++i) {
    JvmtiText signature(jvmti_);
    const bool named = found == nullptr &&
                       jvmti_->GetClassSignature(classes[i], signature.out(), nullptr) == JVMTI_ERROR_NONE &&
                       signature.class_name() == info.name;
    if (named && info_of(jni, classes[i]) == &info) {
      found = classes[i];
    } else {
      jni->DeleteLocalRef(classes[i]);
    }
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(classes));
  return found;
}

void FieldResolver::learn_supers(JNIEnv* jni, const ClassInfo& info) {
  std::vector<const ClassInfo*> supers{&info};
  while (supers.size() == 1 && !supers.front()->super.starts_with("java/"))
    supers = classes_.possible_supers(*supers.front());
  if (supers.size() < 2) return;
  jclass type = class_of(jni, info);
  while (type != nullptr) {
    ClassInfo* known = info_of(jni, type);
    const jclass super = jni->GetSuperclass(type);
    jni->DeleteLocalRef(type);
    if (known != nullptr && super != nullptr) known->learnt_super.store(info_of(jni, super), std::memory_order_release);
    type = super;
  }
}

namespace {

// Static fields are looked for in the class, then in its interfaces, then in its superclass (JVMS 5.4.3.2).
FieldInfo* find_static(FieldResolver& resolver, jvmtiEnv* jvmti, JNIEnv* jni, jclass type, const FieldUse& use,
                       int depth) {
  if (type == nullptr || depth > 64) return nullptr;
  if (ClassInfo* info = resolver.info_of(jni, type)) {
    if (FieldInfo* field = info->find_field(use.name, use.descriptor)) return field;
  }
  jint count = 0;
  jclass* interfaces = nullptr;
  FieldInfo* found = nullptr;
  if (jvmti->GetImplementedInterfaces(type, &count, &interfaces) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < count; ++i) {
      if (found == nullptr) found = find_static(resolver, jvmti, jni, interfaces[i], use, depth + 1);
      jni->DeleteLocalRef(interfaces[i]);
    }
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(interfaces));
  }
  if (found != nullptr) return found;
  const jclass super = jni->GetSuperclass(type);
  found = find_static(resolver, jvmti, jni, super, use, depth + 1);
  if (super != nullptr) jni->DeleteLocalRef(super);
  return found;
}

}  // namespace

std::int64_t FieldResolver::resolve_static(JNIEnv* jni, const Site& site) {
  FieldUse& use = *site.field;
  std::int64_t where = use.where.load(std::memory_order_acquire);
  if (where == 0) {
    // Most statics are used by the class that declares them.
    FieldInfo* field = nullptr;
    if (use.owner == use.user->name) field = const_cast<ClassInfo*>(use.user)->find_field(use.name, use.descriptor);
    if (field == nullptr) {
      const jclass type = class_named(jni, site);
      if (type == nullptr) return 0;  // asked again at the next execution
      field = find_static(*this, jvmti_, jni, type, use, 0);
      jni->DeleteLocalRef(type);
    }
    where = kNone;
    if (field != nullptr && by_number_) {
      where = number_of(*field);
      use.record.store(field->record, std::memory_order_release);
    } else if (field != nullptr && field->record != nullptr) {
      // A final has no words of its own, but its record leads to the init word of its class: kind bits 0.
      const auto kind = field->kind == WhereKind::kNone ? std::int64_t{0} : static_cast<std::int64_t>(field->kind);
      where = reinterpret_cast<std::int64_t>(field->record) | kind;
    }
    use.where.store(where, std::memory_order_release);
  }
  const bool plain = (where & kWhereKindMask) == static_cast<std::int64_t>(WhereKind::kPlain);
  if (plain && by_number_ && site.sync_only) return kNone;
  return plain && site.sync_only ? where & ~kWhereKindMask : where;
}

std::vector<jlong> FieldResolver::words_in(JNIEnv* jni, jclass type) {
  std::vector<jlong> words;
  jclass at = static_cast<jclass>(jni->NewLocalRef(type));
  while (at != nullptr) {
    ClassInfo* info = info_of(jni, at);
    for (std::size_t i = 0; info != nullptr && i < info->fields.size(); ++i) {
      FieldInfo& field = info->fields[i];
      if (field.kind == WhereKind::kNone || field.kind == WhereKind::kFrozen || (field.flags & classfile::kAccStatic))
        continue;
      const std::int64_t where = place_of(jni, at, *info, field);
      if (where == kNone || !info->has_words) continue;
      words.push_back(where >> kWriteOffsetShift & kOffsetMask);
      words.push_back(has_access_words(field.kind) ? where >> kReadOffsetShift & kOffsetMask : -1);
      words.push_back(offset_of(jni, at, field.name.c_str()));
    }
    if (info != nullptr && info->has_monitor_word) {
      const std::int64_t word = offset_of(jni, at, std::string(kMonitorField).c_str());
      if (word > 0) words.insert(words.end(), {word, -1, 0});
    }
    if (info != nullptr && info->freezes()) {
      const std::int64_t word = offset_of(jni, at, std::string(kFreezeField).c_str());
      if (word > 0) words.insert(words.end(), {word, kFreezeWord, 0});
    }
    const jclass super = jni->GetSuperclass(at);
    jni->DeleteLocalRef(at);
    at = super;
  }
  return words;
}

FieldResolver::FoundField FieldResolver::field_at(JNIEnv* jni, jclass type, bool is_static, std::int64_t offset) {
  FoundField found;
  jclass at = static_cast<jclass>(jni->NewLocalRef(type));
  while (at != nullptr && found.owner == nullptr) {
    ClassInfo* info = info_of(jni, at);
    for (std::size_t i = 0; info != nullptr && i < info->fields.size(); ++i) {
      FieldInfo& field = info->fields[i];
      if (((field.flags & classfile::kAccStatic) != 0) != is_static) continue;
      if (offset_of(jni, at, field.name.c_str()) != offset) continue;
      found = {info, &field, kNone};
      if (!is_static) {
        found.where = place_of(jni, at, *info, field);
      } else if (by_number_) {
        found.where = number_of(field);
      } else if (field.record != nullptr && field.kind != WhereKind::kNone) {
        found.where = reinterpret_cast<std::int64_t>(field.record) | static_cast<std::int64_t>(field.kind);
      }
      break;
    }
    const jclass super = is_static ? nullptr : jni->GetSuperclass(at);
    jni->DeleteLocalRef(at);
    at = super;
  }
  if (at != nullptr) jni->DeleteLocalRef(at);
  return found;
}

std::int64_t FieldResolver::sync_word_of(JNIEnv* jni, jclass type, std::int64_t offset) {
  const FoundField found = field_at(jni, type, false, offset);
  if (found.owner == nullptr || found.where == kNone) return -1;
  const bool is_final = found.field->kind == WhereKind::kFrozen || is_open(found.field->kind);
  if (by_number_) return is_final ? -1 : std::int64_t{found.field->number};
  if (found.field->kind != WhereKind::kVolatile) return -1;
  return found.owner->has_words ? found.where >> kWriteOffsetShift & kOffsetMask : -1;
}

std::int64_t FieldResolver::monitor_word_of(JNIEnv* jni, jclass type) {
  std::int64_t word = -1;
  jclass at = static_cast<jclass>(jni->NewLocalRef(type));
  while (at != nullptr && word < 0) {
    const ClassInfo* info = info_of(jni, at);
    if (info != nullptr && info->has_monitor_word) word = offset_of(jni, at, std::string(kMonitorField).c_str());
    const jclass super = jni->GetSuperclass(at);
    jni->DeleteLocalRef(at);
    at = super;
  }
  if (at != nullptr) jni->DeleteLocalRef(at);
  return word;
}

std::int64_t FieldResolver::number_offset_of(JNIEnv* jni, jclass type) {
  std::int64_t offset = -1;
  jclass at = static_cast<jclass>(jni->NewLocalRef(type));
  while (at != nullptr) {
    const ClassInfo* info = info_of(jni, at);
    if (info != nullptr && info->has_number) offset = offset_of(jni, at, std::string(kNumberField).c_str());
    const jclass super = jni->GetSuperclass(at);
    jni->DeleteLocalRef(at);
    at = super;
  }
  return offset;
}

std::int64_t FieldResolver::static_sync_word_of(JNIEnv* jni, jclass type, std::int64_t offset) {
  const FoundField found = field_at(jni, type, true, offset);
  if (found.owner == nullptr || found.field->kind != WhereKind::kVolatile || found.where == kNone) return -1;
  return reinterpret_cast<std::int64_t>(&found.field->record->write);
}

}  // namespace deadheat::agent
