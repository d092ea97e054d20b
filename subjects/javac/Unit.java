// SPDX-License-Identifier: Apache-2.0
package subjects.javac;

import java.nio.file.Path;
import java.util.List;

/** Sources that are compiled together, and the compiler options they need. */
record Unit(String name, List<Path> sources, List<String> options) {}
