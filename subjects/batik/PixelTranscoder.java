// SPDX-License-Identifier: Apache-2.0
package subjects.batik;

import java.awt.image.BufferedImage;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.ImageTranscoder;
import subjects.harness.Digest;

/** Hashes the rendered pixels instead of writing an image file. */
final class PixelTranscoder extends ImageTranscoder {
  private final Digest digest = new Digest();

  String hash() {
    return digest.hex();
  }

  @Override
  public BufferedImage createImage(int width, int height) {
    return new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
  }

  @Override
  public void writeImage(BufferedImage image, TranscoderOutput output) {
    int width = image.getWidth();
    digest.add(width).add(image.getHeight());
    for (int pixel : image.getRGB(0, 0, width, image.getHeight(), null, 0, width)) {
      digest.add(pixel);
    }
  }
}
