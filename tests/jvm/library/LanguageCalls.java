// SPDX-License-Identifier: Apache-2.0
package library;

import static library.LibraryCalls.sink;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Supplier;

/** Enums, lambdas, reflection, class loaders, serialisation. */
final class LanguageCalls {
  private LanguageCalls() {}

  enum Kind { A, B, C }

  record Point(int x, List<String> names) {}

  sealed interface Shape permits Square, Circle {}

  record Square(int side) implements Shape {}

  record Circle(int radius) implements Shape {}

  @Retention(RetentionPolicy.RUNTIME)
  @interface Tag {
    String value() default "tag";

    int[] numbers() default {1};
  }

  @Tag("class")
  public static class Tagged<T extends Comparable<T>> implements Serializable {
    private static final long serialVersionUID = 1;
    @Tag public int field = 3;
    final List<Integer> list = new ArrayList<>(List.of(1, 2));

    @Tag
    public List<? super T> method(@Tag Map<String, T[]> parameter) {
      return null;
    }
  }

  static void addTo(Map<String, LibraryCalls.Calls> themes) {
    themes.put("enums", LanguageCalls::enums);
    themes.put("lambdas", LanguageCalls::lambdas);
    themes.put("reflection", LanguageCalls::reflection);
    themes.put("proxies", LanguageCalls::proxies);
    themes.put("loaders", LanguageCalls::loaders);
    themes.put("serialisation", LanguageCalls::serialisation);
  }

  private static void enums(int thread) {
    for (Kind kind : Kind.values()) sink = Kind.valueOf(kind.name());
    sink = EnumSet.allOf(Kind.class);
    new EnumMap<Kind, String>(Kind.class).put(Kind.A, "a");
    switch (Kind.values()[thread % 3]) {
      case A -> sink = 1;
      case B -> sink = 2;
      default -> sink = 3;
    }
  }

  private static void lambdas(int thread) {
    Supplier<List<Integer>> maker = ArrayList::new;
    Function<Integer, Function<Integer, Integer>> adder = a -> b -> a + b;
    sink = adder.apply(1).apply(thread);
    sink = "a" + thread + 'c' + 1.0 + maker.get();
    List<String> list = new ArrayList<>(List.of("bb", "a"));
    list.sort(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
    sink = new Point(1, list).equals(new Point(1, list));
    sink = new Point(2, list).hashCode() + new Point(3, list).toString();
    StackWalker.getInstance().forEach(frame -> sink = frame);
    sink = new Throwable().getStackTrace();
  }

  private static void reflection(int thread) throws Exception {
    Class<?> type = Tagged.class;
    Method method = type.getMethod("method", Map.class);
    sink = method.getGenericReturnType().getTypeName() + method.toGenericString();
    sink = method.getParameterAnnotations();
    sink = method.getAnnotation(Tag.class).value();
    sink = type.getField("field").getAnnotation(Tag.class).numbers();
    sink = type.getTypeParameters()[0].getBounds();
    sink = type.getGenericInterfaces();
    sink = type.getAnnotations();
    sink = method.invoke(type.getDeclaredConstructor().newInstance(), (Object) null);
    sink = Point.class.getRecordComponents()[1].getGenericType();
    sink = Shape.class.getPermittedSubclasses();
    sink = type.getDeclaredFields();
    sink = type.isAnnotationPresent(Tag.class) && type.getEnclosingClass() != null;
    sink = Kind.class.getEnumConstants();
    sink = type.getPackage().getName() + type.getSimpleName();
  }

  private static void proxies(int thread) {
    Object proxy = Proxy.newProxyInstance(LanguageCalls.class.getClassLoader(), new Class<?>[] {Comparable.class, Runnable.class},
        (self, method, arguments) -> method.getName().equals("compareTo") ? thread : null);
    ((Runnable) proxy).run();
    @SuppressWarnings("unchecked")
    Comparable<Object> comparable = (Comparable<Object>) proxy;
    sink = comparable.compareTo("x");
  }

  private static void loaders(int thread) throws Exception {
    URL here = new File(LanguageCalls.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toURI().toURL();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {here}, null)) {
      sink = loader.loadClass("library.LanguageCalls$Kind").getMethod("values").invoke(null);
      sink = loader.getResource("library/LibraryCalls.class");
    }
    ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class).forEach(provider -> sink = provider);
    sink = Object.class.getModule().getPackages().size() + ModuleLayer.boot().modules().size();
  }

  private static void serialisation(int thread) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      for (Object object : List.of(new Tagged<String>(), Kind.B, new HashMap<>(Map.of("a", 1)), LocalDate.of(2020, 1, 2))) out.writeObject(object);
    }
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      Tagged<?> tagged = (Tagged<?>) in.readObject();
      sink = tagged.list.size() + tagged.field;
      for (int i = 0; i < 3; i++) sink = in.readObject();
    }
  }
}
