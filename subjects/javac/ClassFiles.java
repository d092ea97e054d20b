// SPDX-License-Identifier: Apache-2.0
package subjects.javac;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import subjects.harness.Digest;

/** Keeps the class files of one compilation in memory. Used by one thread. */
final class ClassFiles extends ForwardingJavaFileManager<JavaFileManager> {
  private final Map<String, ByteArrayOutputStream> contents = new TreeMap<>();

  ClassFiles(JavaFileManager sources) {
    super(sources);
  }

  String hash() {
    Digest digest = new Digest();
    contents.forEach((name, bytes) -> digest.add(name).add(bytes.toByteArray()));
    return contents.size() + " " + digest.hex();
  }

  @Override
  public JavaFileObject getJavaFileForOutput(
      Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    contents.put(className, bytes);
    return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/') + kind.extension), kind) {
      @Override
      public OutputStream openOutputStream() {
        return bytes;
      }
    };
  }
}
