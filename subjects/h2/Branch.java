// SPDX-License-Identifier: Apache-2.0
package subjects.h2;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;
import subjects.harness.Corpus;
import subjects.harness.Digest;

/** One branch: its own account table, its own connection, used by one thread. */
final class Branch {
  private static final int ACCOUNTS = 200;
  private static final int AUDIT_EVERY = 50;

  private final Bank bank;
  private final Connection connection;
  private final String table;
  private final SplittableRandom random;
  private final Corpus corpus;
  private final Digest digest = new Digest();

  Branch(Bank bank, Connection connection, int number, Corpus corpus) {
    this.bank = bank;
    this.connection = connection;
    this.table = "branch_" + number;
    this.corpus = corpus;
    this.random = corpus.random(number);
  }

  /** Returns a hash of everything this branch read, which no other branch can influence. */
  String work(int transactions) throws SQLException {
    createAccounts();
    connection.setAutoCommit(false);
    for (int i = 0; i < transactions; i++) {
      transfer(random.nextInt(ACCOUNTS), random.nextInt(ACCOUNTS), random.nextInt(1, 1000));
      if (i % AUDIT_EVERY == 0) {
        audit();
      }
    }
    audit();
    connection.commit();
    return digest.hex();
  }

  private void createAccounts() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE " + table + "(id INT PRIMARY KEY, owner VARCHAR(60), city VARCHAR(20), balance BIGINT)");
      statement.execute("CREATE INDEX " + table + "_city ON " + table + "(city)");
    }
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table + " VALUES(?, ?, ?, ?)")) {
      for (int id = 0; id < ACCOUNTS; id++) {
        insert.setInt(1, id);
        insert.setString(2, corpus.sentence(random, 2));
        insert.setString(3, corpus.word(random));
        insert.setLong(4, random.nextInt(10_000));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private void transfer(int from, int to, long amount) throws SQLException {
    bank.transact(
        connection,
        () -> {
          move(from, -amount);
          move(to, amount);
          bank.post(connection, from, amount);
        });
  }

  private void move(int account, long amount) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE " + table + " SET balance = balance + ? WHERE id = ?")) {
      update.setLong(1, amount);
      update.setInt(2, account);
      update.executeUpdate();
    }
  }

  private void audit() throws SQLException {
    String query =
        "SELECT a.city, COUNT(*), SUM(a.balance), MAX(b.owner) FROM %1$s a JOIN %1$s b ON a.city = b.city "
            + "WHERE a.balance > 0 GROUP BY a.city HAVING COUNT(*) > 0 ORDER BY a.city";
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(String.format(query, table))) {
      while (rows.next()) {
        digest.add(rows.getString(1)).add(rows.getLong(2)).add(rows.getLong(3)).add(rows.getString(4));
      }
    }
  }
}
