// SPDX-License-Identifier: Apache-2.0
package library;

import static library.LibraryCalls.sink;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Streams, executors, queues, timers, sockets: each thread hands plain objects to helpers of its own. */
final class ConcurrencyCalls {
  private ConcurrencyCalls() {}

  static final class Message {
    int number;
    String text;
  }

  static void addTo(Map<String, LibraryCalls.Calls> themes) {
    themes.put("streams", ConcurrencyCalls::streams);
    themes.put("futures", ConcurrencyCalls::futures);
    themes.put("queues", ConcurrencyCalls::queues);
    themes.put("pools", ConcurrencyCalls::pools);
    themes.put("timers", ConcurrencyCalls::timers);
    themes.put("channels", ConcurrencyCalls::channels);
    themes.put("http", ConcurrencyCalls::http);
    themes.put("management", ConcurrencyCalls::management);
  }

  private static void streams(int thread) {
    sink = IntStream.range(0, 2000).parallel().boxed().collect(Collectors.groupingByConcurrent(i -> i % 7, Collectors.counting()));
    sink = IntStream.range(0, 3000).parallel().mapToObj(i -> "s" + i).sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    int[] numbers = new Random(thread).ints(9000).toArray();
    Arrays.parallelSort(numbers);
    Arrays.parallelPrefix(numbers, Integer::sum);
    sink = IntStream.range(0, 1000).parallel().distinct().skip(3).limit(9).toArray();
  }

  private static void futures(int thread) throws Exception {
    CompletableFuture<List<Integer>> future = CompletableFuture.supplyAsync(() -> new ArrayList<>(List.of(1)));
    future = future.thenApplyAsync(list -> {
      list.add(2);
      return list;
    }).thenCombineAsync(CompletableFuture.supplyAsync(() -> 3), (list, more) -> {
      list.add(more);
      return list;
    });
    sink = future.get().size();
    SubmissionPublisher<List<Integer>> publisher = new SubmissionPublisher<>();
    int[] sum = new int[1];
    CompletableFuture<Void> consumed = publisher.consume(list -> sum[0] += list.get(0));
    for (int i = 0; i < 50; i++) publisher.submit(new ArrayList<>(List.of(i)));
    publisher.close();
    consumed.get();
    sink = sum[0];
    Exchanger<List<Integer>> exchanger = new Exchanger<>();
    Future<?> other = CompletableFuture.runAsync(() -> exchange(exchanger, 1));
    exchange(exchanger, 2);
    other.get();
  }

  private static void exchange(Exchanger<List<Integer>> exchanger, int number) {
    List<Integer> list = new ArrayList<>();
    list.add(number);
    try {
      exchanger.exchange(list).add(number);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void queues(int thread) throws InterruptedException {
    for (Queue<Message> queue : List.<Queue<Message>>of(new LinkedTransferQueue<>(), new ConcurrentLinkedQueue<>(), new ConcurrentLinkedDeque<>())) {
      int count = 300;
      Thread producer = new Thread(() -> {
        for (int i = 0; i < count; i++) {
          Message message = new Message();
          message.number = i;
          message.text = "m" + i;
          queue.add(message);
        }
      });
      producer.start();
      for (int taken = 0; taken < count; ) {
        Message message = queue.poll();
        if (message == null) {
          Thread.onSpinWait();
          continue;
        }
        taken++;
        sink = message.text + message.number++;
      }
      producer.join();
    }
  }

  private static void pools(int thread) throws Exception {
    ExecutorService cached = Executors.newCachedThreadPool();
    int[] counted = new int[1];
    for (int i = 0; i < 50; i++) cached.submit(() -> counted[0]++).get();
    cached.shutdown();
    sink = cached.awaitTermination(1, TimeUnit.MINUTES) ? counted[0] : -1;
  }

  private static void timers(int thread) throws InterruptedException {
    Timer timer = new Timer(true);
    CountDownLatch done = new CountDownLatch(1);
    int[] ran = new int[1];
    timer.schedule(new TimerTask() {
      @Override
      public void run() {
        ran[0]++;
        done.countDown();
      }
    }, 1);
    done.await();
    sink = ran[0];
    timer.cancel();
  }

  private static void channels(int thread) throws Exception {
    InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
    try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open().bind(any);
        AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
      Future<AsynchronousSocketChannel> accepted = server.accept();
      client.connect(server.getLocalAddress()).get();
      accepted.get().write(ByteBuffer.wrap(new byte[3])).get();
      sink = client.read(ByteBuffer.allocate(3)).get();
    }
    try (Selector selector = Selector.open(); ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(any).configureBlocking(false);
      server.register(selector, SelectionKey.OP_ACCEPT);
      try (SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
        selector.select();
        server.accept().close();
        sink = client.read(ByteBuffer.allocateDirect(10));
      }
    }
  }

  private static void http(int thread) throws Exception {
    var server = com.sun.net.httpserver.HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    ExecutorService workers = Executors.newFixedThreadPool(2);
    server.setExecutor(workers);
    server.createContext("/", exchange -> {
      byte[] answer = exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    server.start();
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    HttpRequest request = HttpRequest.newBuilder(address).POST(HttpRequest.BodyPublishers.ofString("hello")).build();
    sink = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    server.stop(0);
    workers.shutdown();
  }

  private static void management(int thread) throws Exception {
    var beans = java.lang.management.ManagementFactory.getPlatformMBeanServer();
    sink = beans.getAttribute(new javax.management.ObjectName("java.lang:type=Memory"), "HeapMemoryUsage");
    sink = beans.queryNames(null, null).size();
    System.setProperty("library." + thread, "x");
    sink = System.getProperties().stringPropertyNames();
    sink = System.getenv().size() + Thread.getAllStackTraces().size();
    sink = ProcessHandle.current().info().command();
  }
}
