// SPDX-License-Identifier: Apache-2.0
package subjects.batik;

import java.io.StringReader;
import org.apache.batik.transcoder.SVGAbstractTranscoder;
import org.apache.batik.transcoder.TranscoderException;
import org.apache.batik.transcoder.TranscoderInput;
import subjects.harness.Corpus;
import subjects.harness.Digest;
import subjects.harness.Driver;
import subjects.harness.Options;
import subjects.harness.Subject;
import subjects.harness.Workers;

/** Renders generated SVG drawings to pixels, one transcoder per drawing. No text: fonts differ between machines. */
public final class BatikSubject implements Subject {
  private static final int PIXELS = 160;

  public static void main(String[] args) {
    Driver.run(new BatikSubject(), args);
  }

  @Override
  public String name() {
    return "batik";
  }

  @Override
  public void run(Options options, Digest result) throws Exception {
    Drawing drawings = new Drawing(new Corpus(options.seed()));
    result.add(
        Workers.map(options.threads(), options.amount(24, 240), item -> render(drawings.svg(item))));
  }

  private static String render(String svg) throws TranscoderException {
    PixelTranscoder transcoder = new PixelTranscoder();
    transcoder.addTranscodingHint(SVGAbstractTranscoder.KEY_WIDTH, (float) PIXELS);
    transcoder.addTranscodingHint(SVGAbstractTranscoder.KEY_HEIGHT, (float) PIXELS);
    transcoder.transcode(new TranscoderInput(new StringReader(svg)), null);
    return transcoder.hash();
  }
}
