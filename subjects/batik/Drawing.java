// SPDX-License-Identifier: Apache-2.0
package subjects.batik;

import java.util.SplittableRandom;
import subjects.harness.Corpus;

/** Generates drawings with gradients, paths, clips, style rules, filters and reuse. */
final class Drawing {
  private static final int SHAPES = 25;
  private static final String[] CLASSES = {"calm", "loud", "thin"};
  private static final String HEAD =
      """
      <svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 100 100'>
      <style type='text/css'>
        .calm { stroke: none; fill-opacity: 0.6 }
        .loud { stroke: #b00; stroke-width: 1.5; stroke-dasharray: 3 2 }
        .thin { stroke: black; stroke-width: 0.3; fill: none }
      </style>
      <defs>
        <filter id='soft'><feGaussianBlur stdDeviation='2'/></filter>
        <filter id='rough' x='0' y='0' width='1' height='1'>
          <feTurbulence baseFrequency='0.08' numOctaves='2' seed='%d'/>
          <feComposite in2='SourceGraphic' operator='in'/>
        </filter>
        <linearGradient id='line'><stop offset='0' stop-color='#%06x'/><stop offset='1' stop-color='#%06x'/></linearGradient>
        <radialGradient id='ring'><stop offset='0.2' stop-color='#%06x'/><stop offset='0.9' stop-color='white'/></radialGradient>
        <clipPath id='disc'><circle cx='50' cy='50' r='45'/></clipPath>
        <rect id='tile' width='9' height='9' rx='2'/>
      </defs>
      <g clip-path='url(#disc)'>
      """;

  private final Corpus corpus;

  Drawing(Corpus corpus) {
    this.corpus = corpus;
  }

  String svg(int item) {
    SplittableRandom random = corpus.random(item);
    StringBuilder svg = new StringBuilder();
    svg.append(String.format(HEAD, random.nextInt(1000), colour(random), colour(random), colour(random)));
    for (int i = 0; i < SHAPES; i++) {
      svg.append(shape(random)).append('\n');
    }
    return svg.append("</g></svg>").toString();
  }

  private static String shape(SplittableRandom random) {
    String style = CLASSES[random.nextInt(CLASSES.length)];
    String paint = random.nextBoolean() ? "url(#line)" : "url(#ring)";
    int x = random.nextInt(100);
    int y = random.nextInt(100);
    int size = 3 + random.nextInt(30);
    return switch (random.nextInt(6)) {
      case 0 -> String.format("<circle class='%s' fill='%s' cx='%d' cy='%d' r='%d'/>", style, paint, x, y, size);
      case 1 -> String.format("<use xlink:href='#tile' class='%s' fill='#%06x' transform='translate(%d %d) rotate(%d)'/>",
          style, colour(random), x, y, size * 5);
      case 2 -> String.format("<path class='%s' fill='%s' d='M%d %d q%d -20 30 %d t-20 %d c1 2 3 4 %d 9 z'/>",
          style, paint, x, y, size, size, size, -size);
      case 3 -> String.format("<ellipse filter='url(#soft)' fill='#%06x' cx='%d' cy='%d' rx='%d' ry='6'/>",
          colour(random), inside(x), inside(y), size);
      case 4 -> String.format("<rect filter='url(#rough)' x='%d' y='%d' width='%d' height='%d'/>", inside(x), inside(y), size, size);
      default -> String.format("<polygon class='%s' fill='%s' points='%d,%d %d,%d 50,50'/>",
          style, paint, x, y, y, size);
    };
  }

  /** Batik fails on a filtered shape that lies wholly outside the clip. */
  private static int inside(int coordinate) {
    return 25 + coordinate / 2;
  }

  private static int colour(SplittableRandom random) {
    return random.nextInt(1 << 24);
  }
}
