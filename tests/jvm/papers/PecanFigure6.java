// SPDX-License-Identifier: Apache-2.0
package semantics;

/** Figure 6 of "Persuasive Prediction of Concurrency Access Anomalies" (Huang and Zhang, ISSTA 2011), from OpenJMS: the field is read under the lock and written without. */
public final class PecanFigure6 {
  static final class Connection {
    private Object _multiplexer;

    void setInvocationHandler() {
      _multiplexer = "made";
    }

    boolean invoke() {
      Object multiplexer;
      synchronized (this) {
        multiplexer = _multiplexer;
      }
      return multiplexer != null;  // else the program throws
    }
  }

  private PecanFigure6() {}

  public static void main(String[] arguments) throws Exception {
    Connection connection = new Connection();
    InOrder.run(arguments[0], connection::setInvocationHandler, connection::invoke);
  }
}
