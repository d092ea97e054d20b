// SPDX-License-Identifier: Apache-2.0
package hunt;

import java.util.concurrent.CountDownLatch;

/** A deadlock that plain runs do not come to: the first thread has both locks and is gone before the second wants them the other way round. */
public final class Crossed {
  private static final class Left {}

  private static final class Right {}

  private final Left left = new Left();
  private final Right right = new Right();
  private final CountDownLatch hasLeft = new CountDownLatch(1);
  private int both;

  private void leftFirst() {
    synchronized (left) {
      hasLeft.countDown();
      Work.milliseconds(20);
      synchronized (right) {
        both++;
      }
    }
  }

  private void rightFirst() {
    Work.milliseconds(300);
    synchronized (right) {
      Work.milliseconds(5);
      synchronized (left) {
        both++;
      }
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    Crossed crossed = new Crossed();
    Thread leftFirst = new Thread(crossed::leftFirst, "left first");
    Thread rightFirst = new Thread(crossed::rightFirst, "right first");
    leftFirst.start();
    crossed.hasLeft.await();
    rightFirst.start();
    leftFirst.join();
    rightFirst.join();
    System.out.println(crossed.both);
  }
}
