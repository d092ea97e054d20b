// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Queue;

/** Threads that ask a server for pages and wait for its answers most of the time. usage: Fetch PORT THREADS PAGES */
public final class Fetch {
  private final Queue<Integer> open = new ArrayDeque<>();
  private int bytes;
  int fetched;  // not guarded: a race

  private Fetch() {}

  private void work(int port) {
    while (true) {
      int page;
      synchronized (this) {
        if (open.isEmpty()) return;
        page = open.remove();
      }
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write(("page " + page + "\n").getBytes());
        InputStream in = socket.getInputStream();
        int got = in.readAllBytes().length;
        synchronized (this) {
          bytes += got;
        }
        fetched++;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    Fetch fetch = new Fetch();
    for (int i = 0; i < Integer.parseInt(arguments[2]); i++) fetch.open.add(i);
    Thread[] threads = new Thread[Integer.parseInt(arguments[1])];
    for (int i = 0; i < threads.length; i++) threads[i] = new Thread(() -> fetch.work(Integer.parseInt(arguments[0])));
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    System.out.println(fetch.bytes);
  }
}
