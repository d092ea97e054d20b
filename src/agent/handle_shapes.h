// SPDX-License-Identifier: Apache-2.0
//
// What is behind a VarHandle or a MethodHandle, read from the fields of the JDK's own classes for them (the same in JDK
// 17 to 25). What is not recognised is of kind kUnknown: its accesses are not watched. Called on any thread, from
// native methods; runs no Java code but Unsafe's.
#pragma once

#include <jni.h>

#include <array>

#include "agent/field_resolver.h"
#include "agent/shim_layout.h"

namespace deadheat::agent {

using HandleShape = std::array<jlong, static_cast<std::size_t>(HandlePart::kCount)>;

HandleShape shape_of_var_handle(JNIEnv* jni, const FieldResolver& resolver, jobject handle);
// Getters and setters of fields and of array elements, and what VarHandle.toMethodHandle returns.
HandleShape shape_of_method_handle(JNIEnv* jni, const FieldResolver& resolver, jobject handle);
// Of a VarHandle of a static field: the object that holds the field.
jobject static_base_of(JNIEnv* jni, jobject handle);

}  // namespace deadheat::agent
