// SPDX-License-Identifier: Apache-2.0
//
// What the JVM calls in place of a synchronized native method (native_monitors.h): DH_NATIVE_THUNKS small entries, the
// n-th of which goes on to dh_native_originals[n] with every argument where the caller has put it. The return address is
// kept by dh_native_entered, and the method returns through dh_native_exit, because only the method's caller knows how
// many arguments are on the stack.
        .intel_syntax noprefix
        .text

        .type dh_native_entry, @function
dh_native_entry:                        // r11: the entry of dh_native_originals
        push    rdi
        push    rsi
        push    rdx
        push    rcx
        push    r8
        push    r9
        push    r11                     // the stack is aligned from here on
        sub     rsp, 128
        movaps  [rsp], xmm0
        movaps  [rsp + 16], xmm1
        movaps  [rsp + 32], xmm2
        movaps  [rsp + 48], xmm3
        movaps  [rsp + 64], xmm4
        movaps  [rsp + 80], xmm5
        movaps  [rsp + 96], xmm6
        movaps  [rsp + 112], xmm7
        mov     rdx, [rsp + 128 + 56]   // return address; rdi and rsi are JNIEnv and receiver
        call    dh_native_entered
        movaps  xmm0, [rsp]
        movaps  xmm1, [rsp + 16]
        movaps  xmm2, [rsp + 32]
        movaps  xmm3, [rsp + 48]
        movaps  xmm4, [rsp + 64]
        movaps  xmm5, [rsp + 80]
        movaps  xmm6, [rsp + 96]
        movaps  xmm7, [rsp + 112]
        add     rsp, 128
        pop     r11
        pop     r9
        pop     r8
        pop     rcx
        pop     rdx
        pop     rsi
        pop     rdi
        lea     r10, [rip + dh_native_exit]
        mov     [rsp], r10
        jmp     [r11]
        .size dh_native_entry, . - dh_native_entry

        .type dh_native_exit, @function
dh_native_exit:                         // rax or xmm0: what the method returns
        sub     rsp, 8                  // for the return address
        push    rax
        sub     rsp, 16
        movaps  [rsp], xmm0
        call    dh_native_exiting
        movaps  xmm0, [rsp]
        add     rsp, 16
        mov     [rsp + 8], rax
        pop     rax
        ret
        .size dh_native_exit, . - dh_native_exit

        .balign 16
        .globl  dh_native_thunks
        .hidden dh_native_thunks
        .type   dh_native_thunks, @function
dh_native_thunks:                       // 16 bytes each
        .set    number, 0
        .rept   DH_NATIVE_THUNKS
        lea     r11, [rip + dh_native_originals + 8 * number]
        jmp     dh_native_entry
        .balign 16
        .set    number, number + 1
        .endr
        .size dh_native_thunks, . - dh_native_thunks

        .section .note.GNU-stack,"",@progbits
