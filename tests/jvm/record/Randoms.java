// SPDX-License-Identifier: Apache-2.0
import java.security.SecureRandom;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** What programs draw at random, in two threads; and what the VM draws for them: the hashes of classes. */
public class Randoms {
  private static String drawn() {
    try {
      byte[] bytes = new byte[21];
      new SecureRandom().nextBytes(bytes);
      long sum = 0;
      for (byte b : bytes) sum = sum * 31 + b;
      return UUID.randomUUID() + " " + sum + " " + SecureRandom.getInstance("SHA1PRNG").nextInt() + " " + new SecureRandom().nextLong()
          + " " + new Random().nextInt() + " " + ThreadLocalRandom.current().nextInt();
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    String[] other = new String[1];
    Thread thread = new Thread(() -> other[0] = drawn());
    thread.start();
    System.out.println(drawn());
    thread.join();
    System.out.println(other[0]);
    System.out.println(Set.of("a", "b", "c", "d", "e", "f"));
    Runnable lambda = () -> { };
    Object[] objects = {new Randoms(), new Object() { }, lambda, new Randoms[1]};
    for (int i = 0; i < 4; i++) System.out.print(objects[i].getClass().hashCode() + " " + System.identityHashCode(objects[i].getClass()) + " ");
    System.out.println();
  }
}
