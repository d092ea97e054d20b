// SPDX-License-Identifier: Apache-2.0
package library;

import static library.LibraryCalls.sink;

import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Collator;
import java.text.DateFormat;
import java.text.DecimalFormat;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.text.SimpleDateFormat;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.chrono.JapaneseDate;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.time.temporal.WeekFields;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.Locale;
import java.util.Map;
import java.util.Scanner;
import java.util.TimeZone;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.xml.sax.helpers.DefaultHandler;

/** Text, time, files, cryptography, XML, logging. */
final class DataCalls {
  private static final Pattern WORD_AND_NUMBER = Pattern.compile("([a-z]+)(\\d+)");

  private DataCalls() {}

  static void addTo(Map<String, LibraryCalls.Calls> themes) {
    themes.put("formats", DataCalls::formats);
    themes.put("time", DataCalls::time);
    themes.put("locales", DataCalls::locales);
    themes.put("patterns", DataCalls::patterns);
    themes.put("cryptography", DataCalls::cryptography);
    themes.put("xml", DataCalls::xml);
    themes.put("files", DataCalls::files);
    themes.put("zip", DataCalls::zip);
    themes.put("logging", DataCalls::logging);
  }

  private static void formats(int thread) throws Exception {
    sink = String.format("%05d %s %.3f %tF %x", thread, "x", 1.5, new Date(0), 255);
    sink = MessageFormat.format("{0,number} {1,date}", 5, new Date(0));
    sink = new DecimalFormat("#,##0.00").format(1234.5) + NumberFormat.getInstance(Locale.GERMANY).format(12.5);
    sink = DateFormat.getDateInstance(DateFormat.LONG, Locale.FRANCE).format(new Date(0));
    sink = new SimpleDateFormat("yyyy-MM-dd EEE", Locale.US).parse("2020-01-02 Thu");
  }

  private static void time(int thread) {
    sink = DateTimeFormatter.ofPattern("yyyy MMM EEEE HH:mm z", Locale.FRENCH)
        .format(ZonedDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneId.of("Europe/Paris")));
    sink = LocalDate.parse("2020-02-03").plusDays(thread).getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ITALIAN);
    sink = JapaneseDate.of(2020, 1, 1).toString() + WeekFields.of(Locale.US) + ZoneId.getAvailableZoneIds().size();
    sink = TimeZone.getTimeZone("America/New_York").getRawOffset() + Calendar.getInstance(Locale.JAPAN).getTimeInMillis();
  }

  private static void locales(int thread) {
    sink = Locale.getAvailableLocales().length + Locale.forLanguageTag("zh-Hant-TW").getDisplayName(Locale.GERMAN);
    sink = Currency.getInstance("EUR").getSymbol(Locale.US);
    sink = Collator.getInstance(Locale.FRENCH).compare("a", "b");
    sink = Charset.availableCharsets().size() + Charset.forName("EUC-JP").name();
    sink = Character.getName('a') + Character.UnicodeBlock.of('a') + Character.UnicodeScript.of('a');
  }

  private static void patterns(int thread) {
    for (int i = 0; i < 50; i++) sink = WORD_AND_NUMBER.matcher("abc" + i + "def").replaceAll("$1x");
    sink = "a,b;c".split("[,;]");
    sink = Pattern.compile("\\p{IsGreek}|[\\w&&[^a]]", Pattern.CASE_INSENSITIVE).matcher("q").find();
  }

  private static void cryptography(int thread) throws Exception {
    sink = MessageDigest.getInstance("SHA-256").digest(new byte[100]);
    Mac mac = Mac.getInstance("HmacSHA1");
    mac.init(new SecretKeySpec(new byte[16], "HmacSHA1"));
    sink = mac.doFinal(new byte[10]);
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"));
    sink = cipher.doFinal(new byte[33]);
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    sink = generator.generateKeyPair();
    sink = new SecureRandom().nextInt();
  }

  private static void xml(int thread) throws Exception {
    byte[] text = "<a x='1'><b>t</b><b/></a>".getBytes(StandardCharsets.UTF_8);
    Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(text));
    sink = XPathFactory.newInstance().newXPath().evaluate("count(//b)", document);
    TransformerFactory.newInstance().newTransformer().transform(new DOMSource(document), new StreamResult(new StringWriter()));
    SAXParserFactory.newInstance().newSAXParser().parse(new ByteArrayInputStream(text), new DefaultHandler());
  }

  private static void files(int thread) throws Exception {
    Path folder = Files.createTempDirectory("library");
    Path file = folder.resolve("file");
    Files.writeString(file, "hello\nworld");
    sink = Files.readAllLines(file);
    try (var paths = Files.walk(folder)) {
      sink = paths.count();
    }
    sink = Files.readAttributes(file, "posix:*");
    sink = Files.probeContentType(file);
    try (Scanner scanner = new Scanner(file)) {
      sink = scanner.nextLine();
    }
    Files.delete(file);
    Files.delete(folder);
  }

  private static void zip(int thread) throws Exception {
    Path file = Files.createTempFile("library", ".zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
      out.putNextEntry(new ZipEntry("entry"));
      out.write(new byte[1000]);
    }
    try (ZipFile in = new ZipFile(file.toFile())) {
      sink = in.getInputStream(in.getEntry("entry")).readAllBytes();
    }
    try (FileSystem inside = FileSystems.newFileSystem(file)) {
      sink = Files.readAllBytes(inside.getPath("entry"));
    }
    Files.delete(file);
  }

  private static void logging(int thread) {
    Logger logger = Logger.getLogger("library.calls." + thread % 2);
    for (int i = 0; i < 20; i++) logger.fine("message " + i);
    sink = Logger.getLogger("library").isLoggable(Level.INFO);
    sink = LogManager.getLogManager().getLoggerNames();
    System.getLogger("system").log(System.Logger.Level.DEBUG, "message");
  }
}
