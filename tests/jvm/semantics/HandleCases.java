// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.invoke.VolatileCallSite;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Method handles that access variables, VarHandles that view bytes, and fences. */
final class HandleCases {
  interface Lookup {
    MethodHandle find() throws ReflectiveOperationException;
  }

  static MethodHandle found(Lookup lookup) {
    try {
      return lookup.find();
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // ---- method handles ---------------------------------------------------------------------------------------------------------

  @Case.Racy("x")
  static final class StaticSetter_race extends Case.Pair {
    static long x;
    static final MethodHandle SET = found(() -> ReflectionCases.lookup(StaticSetter_race.class).findStaticSetter(StaticSetter_race.class, "x", long.class));
    void a() throws Exception { try { SET.invokeExact(1L); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } }
    void b() { x = 2; }
  }

  @Case.Racy("x")
  static final class StaticGetter_race extends Case.Pair {
    static String x;
    String seen;
    static final MethodHandle GET = found(() -> ReflectionCases.lookup(StaticGetter_race.class).findStaticGetter(StaticGetter_race.class, "x", String.class));
    void a() throws Exception { try { seen = (String) GET.invokeExact(); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } }
    void b() { x = "b"; }
  }

  /** invoke() with other types than the handle's own. */
  @Case.Racy("x")
  static final class GenericInvoke_race extends Case.Pair {
    int x;
    Object seen;
    static final MethodHandle GET = found(() -> ReflectionCases.lookup(GenericInvoke_race.class).findGetter(GenericInvoke_race.class, "x", int.class));
    void a() throws Exception { try { seen = (Object) GET.invoke((Object) this); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } }
    void b() { x = 2; }
  }

  @Case.Racy("x")
  static final class UnreflectedSetter_race extends Case.Pair {
    double x;
    static final MethodHandle SET = found(() -> MethodHandles.lookup().unreflectSetter(ReflectionCases.field(UnreflectedSetter_race.class, "x")));
    void a() throws Exception { try { SET.invokeExact(this, 1.0); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } }
    void b() { x = 2; }
  }

  static final class LockedSetter_norace extends Case.Pair {
    int x;
    static final MethodHandle SET = found(() -> ReflectionCases.lookup(LockedSetter_norace.class).findSetter(LockedSetter_norace.class, "x", int.class));
    void a() throws Exception { synchronized (this) { try { SET.invokeExact(this, 1); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } } }
    void b() { synchronized (this) { x++; } }
  }

  static final class VolatileSetter_norace extends Case.Pair {
    volatile int flag;
    int x;
    static final MethodHandle SET = found(() -> ReflectionCases.lookup(VolatileSetter_norace.class).findSetter(VolatileSetter_norace.class, "flag", int.class));
    void a() throws Exception { x = 1; try { SET.invokeExact(this, 1); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } }
    void b() { if (flag == 1) x = 2; }
  }

  static final class StaticVolatileGetter_norace extends Case.Pair {
    static volatile int flag;
    int x;
    static final MethodHandle GET = found(() -> ReflectionCases.lookup(StaticVolatileGetter_norace.class).findStaticGetter(StaticVolatileGetter_norace.class, "flag", int.class));
    void setup() { flag = 0; }
    void a() { x = 1; flag = 1; }
    void b() throws Exception { int seen; try { seen = (int) GET.invokeExact(); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } if (seen == 1) x = 2; }
  }

  /** The setter refuses null before it writes anything. */
  static final class SetterOfNull_norace extends Case.Pair {
    int x;
    int seen;
    static final MethodHandle SET = found(() -> ReflectionCases.lookup(SetterOfNull_norace.class).findSetter(SetterOfNull_norace.class, "x", int.class));
    void a() throws Exception { try { SET.invokeExact((SetterOfNull_norace) null, 1); throw new AssertionError(); } catch (NullPointerException expected) { } catch (Throwable e) { throw ReflectionCases.unexpected(e); } }
    void b() { seen = x; }
  }

  @Case.Racy("[]")
  static final class ElementGetter_race extends Case.Pair {
    final String[] array = new String[2];
    String seen;
    static final MethodHandle GET = MethodHandles.arrayElementGetter(String[].class);
    void a() throws Exception { try { seen = (String) GET.invokeExact(array, 1); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } }
    void b() { array[1] = "b"; }
  }

  static final class ElementSetterOther_norace extends Case.Pair {
    final int[] array = new int[2];
    static final MethodHandle SET = MethodHandles.arrayElementSetter(int[].class);
    void a() throws Exception { try { SET.invokeExact(array, 0, 1); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } }
    void b() { array[1] = 2; }
  }

  @Case.Racy("x")
  static final class BoundPlain_race extends Case.Pair {
    int x;
    static final MethodHandle SET = VarHandleCases.field(BoundPlain_race.class, "x", int.class).toMethodHandle(VarHandle.AccessMode.SET);
    void a() throws Exception { try { SET.invokeExact(this, 1); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } }
    void b() { x = 2; }
  }

  static final class BoundUpdate_norace extends Case.Pair {
    int x;
    static final MethodHandle ADD = VarHandleCases.field(BoundUpdate_norace.class, "x", int.class).toMethodHandle(VarHandle.AccessMode.GET_AND_ADD);
    int y;
    void a() throws Exception { y = 1; try { int old = (int) ADD.invokeExact(this, 1); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } }
    void b() throws Exception { int old; try { old = (int) ADD.invokeExact(this, 1); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } if (old == 1) y = 2; }
  }

  /** A method that happens to be called like an access method and to take a VarHandle. */
  static final class BoundNamesake_norace extends Case.Pair {
    int x;
    int seen;
    static void set(VarHandle handle, BoundNamesake_norace o, int value) { }
    static final MethodHandle SET = found(() -> ReflectionCases.lookup(BoundNamesake_norace.class).findStatic(BoundNamesake_norace.class, "set",
        java.lang.invoke.MethodType.methodType(void.class, VarHandle.class, BoundNamesake_norace.class, int.class))
        .bindTo(VarHandleCases.field(BoundNamesake_norace.class, "x", int.class)));
    void a() throws Exception { try { SET.invokeExact(this, 1); } catch (Throwable e) { throw ReflectionCases.unexpected(e); } }
    void b() { seen = x; }
  }

  // ---- views of bytes ---------------------------------------------------------------------------------------------------------

  static final class ByteArray_norace extends Case.Pair {
    final byte[] bytes = new byte[32];
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    int x;
    // From JDK 23 on such handles have no atomic modes; before, it is the JVM's business where in an array an access is aligned.
    static final boolean ATOMIC = LONG.isAccessModeSupported(VarHandle.AccessMode.SET_VOLATILE);
    static final int AT = ATOMIC ? 8 - ByteBuffer.wrap(new byte[32]).alignmentOffset(0, 8) : 0;
    void a() { x = 1; if (ATOMIC) LONG.setVolatile(bytes, AT, 1L); else synchronized (this) { LONG.set(bytes, AT, 1L); } }
    long flag() { if (ATOMIC) return (long) LONG.getVolatile(bytes, AT); synchronized (this) { return (long) LONG.get(bytes, AT); } }
    void b() { if (flag() == 1L) x = 2; }
  }

  @Case.Racy("[]")
  static final class ByteArrayPlain_race extends Case.Pair {
    final byte[] bytes = new byte[16];
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    void a() { INT.set(bytes, 5, 7); }
    void b() { bytes[8] = 1; }
  }

  static final class ByteArrayPlain_norace extends Case.Pair {
    final byte[] bytes = new byte[16];
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    void a() { INT.set(bytes, 5, 7); }
    void b() { bytes[4] = 1; bytes[9] = 1; }
  }

  @Case.Racy("[]")
  static final class HeapBufferPlain_race extends Case.Pair {
    final byte[] bytes = new byte[16];
    final ByteBuffer buffer = ByteBuffer.wrap(bytes, 4, 8).slice();
    static final VarHandle SHORT = MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    void a() { SHORT.set(buffer, 1, (short) 7); }
    void b() { bytes[6] = 1; }
  }

  // ---- fences -----------------------------------------------------------------------------------------------------------------

  static final class FencesUnsafe_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = VarHandleCases.field(FencesUnsafe_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; MixedAccessCases.U.storeFence(); FLAG.setOpaque(this, 1); }
    void b() { if ((int) FLAG.getOpaque(this) == 1) { MixedAccessCases.U.loadFence(); x = 2; } }
  }

  static final class FenceThenAcquire_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = VarHandleCases.field(FenceThenAcquire_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; VarHandle.fullFence(); FLAG.setOpaque(this, 1); }
    void b() { if ((int) FLAG.getAcquire(this) == 1) x = 2; }
  }

  static final class ReleaseThenFence_norace extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { x = 1; FLAG.setRelease(flags, 1, 1); }
    void b() { if ((int) FLAG.getOpaque(flags, 1) == 1) { VarHandle.acquireFence(); x = 2; } }
  }

  @Case.Racy("x")
  static final class FenceTooEarly_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = VarHandleCases.field(FenceTooEarly_race.class, "flag", int.class);
    int x;
    void a() { VarHandle.releaseFence(); x = 1; FLAG.setOpaque(this, 1); }
    void b() { int seen = (int) FLAG.getOpaque(this); VarHandle.acquireFence(); x = 2; }
  }

  @Case.Racy("x")
  static final class NoAcquireFence_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = VarHandleCases.field(NoAcquireFence_race.class, "flag", int.class);
    int x;
    void a() { x = 1; VarHandle.releaseFence(); FLAG.setOpaque(this, 1); }
    void b() { int seen = (int) FLAG.getOpaque(this); x = 2; }
  }

  @Case.Racy("x")
  static final class FencesAndOtherVariable_race extends Case.Pair {
    int one;
    int two;
    static final VarHandle ONE = VarHandleCases.field(FencesAndOtherVariable_race.class, "one", int.class);
    static final VarHandle TWO = VarHandleCases.field(FencesAndOtherVariable_race.class, "two", int.class);
    int x;
    void a() { x = 1; VarHandle.releaseFence(); ONE.setOpaque(this, 1); }
    void b() { int seen = (int) TWO.getOpaque(this); VarHandle.acquireFence(); x = 2; }
  }

  // ---- call sites ---------------------------------------------------------------------------------------------------------------

  static int valueOf(MethodHandle constant) throws Exception {
    try {
      return (int) constant.invokeExact();
    } catch (Throwable e) {
      throw ReflectionCases.unexpected(e);
    }
  }

  static final class VolatileCallSiteTarget_norace extends Case.Pair {
    int x;
    final VolatileCallSite site = new VolatileCallSite(MethodHandles.constant(int.class, 0));
    void a() { x = 1; site.setTarget(MethodHandles.constant(int.class, 1)); }
    void b() throws Exception { int seen = valueOf(site.getTarget()) == 1 ? x : 0; }
  }

  static final class VolatileCallSiteInvoker_norace extends Case.Pair {
    int x;
    final VolatileCallSite site = new VolatileCallSite(MethodHandles.constant(int.class, 0));
    final MethodHandle invoker = site.dynamicInvoker();
    void a() { x = 1; site.setTarget(MethodHandles.constant(int.class, 1)); }
    void b() throws Exception { int seen = valueOf(invoker) == 1 ? x : 0; }
  }

  @Case.Racy("x")
  static final class BehindVolatileCallSite_race extends Case.Pair {
    int x;
    final VolatileCallSite site = new VolatileCallSite(MethodHandles.constant(int.class, 0));
    void a() { site.setTarget(MethodHandles.constant(int.class, 1)); x = 1; }
    void b() throws Exception { valueOf(site.getTarget()); int seen = x; }
  }
}
