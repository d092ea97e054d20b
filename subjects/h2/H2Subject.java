// SPDX-License-Identifier: Apache-2.0
package subjects.h2;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import subjects.harness.Corpus;
import subjects.harness.Digest;
import subjects.harness.Driver;
import subjects.harness.Options;
import subjects.harness.Subject;
import subjects.harness.Workers;

/**
 * Concurrent transactions on one in-memory database. Each item is a branch of a bank with a table of its own; all
 * branches post their totals to the same few ledger rows, so transactions wait for each other's row locks.
 */
public final class H2Subject implements Subject {
  private static final int LEDGERS = 4;
  private static final int BRANCHES = 8;

  public static void main(String[] args) {
    Driver.run(new H2Subject(), args);
  }

  @Override
  public String name() {
    return "h2";
  }

  @Override
  public void run(Options options, Digest result) throws Exception {
    Bank bank = new Bank("subject", LEDGERS);
    Corpus corpus = new Corpus(options.seed());
    try (Connection keepOpen = bank.connect()) {
      bank.createLedgers(keepOpen);
      int transactions = options.amount(300, 6000);
      result.add(
          Workers.map(
              options.threads(),
              BRANCHES,
              item -> {
                try (Connection connection = bank.connect()) {
                  return new Branch(bank, connection, item, corpus).work(transactions);
                }
              }));
      addLedgers(keepOpen, result);
    }
  }

  private static void addLedgers(Connection connection, Digest result) throws Exception {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT id, amount, postings FROM ledger ORDER BY id")) {
      while (rows.next()) {
        result.add(rows.getLong(1)).add(rows.getLong(2)).add(rows.getLong(3));
      }
    }
  }
}
