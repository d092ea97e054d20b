// SPDX-License-Identifier: Apache-2.0
package subjects.tomcat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.servlet.Servlet;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import subjects.harness.ScratchDirectory;

/** Starts and stops the server; its working directory is temporary. */
final class ShopServer implements AutoCloseable {
  private static final String LOOPBACK = InetAddress.getLoopbackAddress().getHostAddress();
  private static final Logger LOG = Logger.getLogger("org.apache");

  private final ScratchDirectory scratch = new ScratchDirectory("tomcat");
  private final Tomcat tomcat = new Tomcat();

  ShopServer(Servlet servlet) throws IOException, LifecycleException {
    LOG.setLevel(Level.WARNING);
    String directory = scratch.path().toString();
    tomcat.setBaseDir(directory);
    tomcat.setPort(0);
    tomcat.setHostname(LOOPBACK);
    tomcat.getConnector().setProperty("address", LOOPBACK);
    Context context = tomcat.addContext("", directory);
    disableLeakProtection((StandardContext) context);
    Tomcat.addServlet(context, "shop", servlet);
    context.addServletMappingDecoded("/shop/*", "shop");
    tomcat.start();
  }

  /** It would need --add-opens, and warns when it does not get it. */
  private static void disableLeakProtection(StandardContext context) {
    context.setClearReferencesObjectStreamClassCaches(false);
    context.setClearReferencesThreadLocals(false);
    context.setClearReferencesRmiTargets(false);
  }

  URI url() {
    return URI.create("http://" + LOOPBACK + ":" + tomcat.getConnector().getLocalPort() + "/shop/");
  }

  @Override
  public void close() throws IOException, LifecycleException {
    tomcat.stop();
    tomcat.destroy();
    scratch.close();
  }
}
