// SPDX-License-Identifier: Apache-2.0
package subjects.h2;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** The database and the table all branches share. */
final class Bank {
  /** Long enough for a run that is slowed down a hundred times; a lock wait is never meant to time out. */
  private static final int LOCK_TIMEOUT_MS = 300_000;

  private static final int ERROR_DEADLOCK = 40001;
  private static final int ERROR_CONCURRENT_UPDATE = 90131;
  private static final int MAX_ATTEMPTS = 1000;

  private final String url;
  private final int ledgers;

  Bank(String name, int ledgers) {
    this.url = "jdbc:h2:mem:" + name + ";LOCK_TIMEOUT=" + LOCK_TIMEOUT_MS;
    this.ledgers = ledgers;
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url, "sa", "");
  }

  void createLedgers(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE ledger(id INT PRIMARY KEY, amount BIGINT NOT NULL, postings BIGINT NOT NULL)");
      for (int id = 0; id < ledgers; id++) {
        statement.execute("INSERT INTO ledger VALUES(" + id + ", 0, 0)");
      }
    }
  }

  /** A piece of work that is done again from the start when the database rolled it back. */
  interface Transaction {
    void run() throws SQLException;
  }

  void transact(Connection connection, Transaction transaction) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        transaction.run();
        connection.commit();
        return;
      } catch (SQLException e) {
        connection.rollback();
        boolean again = e.getErrorCode() == ERROR_DEADLOCK || e.getErrorCode() == ERROR_CONCURRENT_UPDATE;
        if (!again || attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Adds to one ledger row inside the caller's transaction. */
  void post(Connection connection, int account, long amount) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE ledger SET amount = amount + ?, postings = postings + 1 WHERE id = ?")) {
      update.setLong(1, amount);
      update.setInt(2, account % ledgers);
      update.executeUpdate();
    }
  }
}
