// SPDX-License-Identifier: Apache-2.0
package subjects.tomcat;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;

/** A basket in the session and two totals over all visitors, one atomic and one under a lock. */
final class ShopServlet extends HttpServlet {
  private static final long serialVersionUID = 1;
  private static final String BASKET = "basket";

  private final AtomicLong served = new AtomicLong();
  private long sold; // guarded by this

  long served() {
    return served.get();
  }

  synchronized long sold() {
    return sold;
  }

  /** Shows the basket. */
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    served.incrementAndGet();
    List<String> basket = basket(request);
    response.setContentType("text/html; charset=UTF-8");
    response.setHeader("X-Items", Integer.toString(basket.size()));
    PrintWriter page = response.getWriter();
    page.printf("<h1>%s: %d items</h1>%n<ol>%n", request.getPathInfo(), basket.size());
    for (String item : basket) {
      page.printf("<li>%s</li>%n", item.replace("&", "&amp;"));
    }
    page.println("</ol>");
  }

  /** Puts something into the basket. */
  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    request.setCharacterEncoding("UTF-8");
    served.incrementAndGet();
    int quantity = Integer.parseInt(request.getParameter("quantity"));
    List<String> basket = basket(request);
    basket.add(quantity + " x " + request.getParameter("article"));
    sell(quantity);
    response.setContentType("text/plain; charset=UTF-8");
    response.getWriter().println("added " + basket.get(basket.size() - 1));
  }

  private synchronized void sell(int quantity) {
    sold += quantity;
  }

  private static List<String> basket(HttpServletRequest request) {
    HttpSession session = request.getSession();
    @SuppressWarnings("unchecked")
    List<String> basket = (List<String>) session.getAttribute(BASKET);
    if (basket == null) {
      basket = Collections.synchronizedList(new ArrayList<>());
      session.setAttribute(BASKET, basket);
    }
    return basket;
  }
}
