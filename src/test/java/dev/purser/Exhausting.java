package dev.purser;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Map;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/**
 * Two addresses at which a request exhausts the memory: in its handler, and in a filter before it. A third address
 * names the threads of the process, and the handler of exceptions that escape from threads.
 */
final class Exhausting extends SimpleUrlHandlerMapping implements Filter {
    static final String HANDLER = "/exhausting-handler";
    static final String THREADS = "/threads";
    static final String FILTER = "/exhausting-filter";

    Exhausting() {
        setOrder(0);
        setUrlMap(Map.of(HANDLER, (HttpRequestHandler) (request, response) -> exhaust(), THREADS, (HttpRequestHandler)
                (request, response) -> response.getWriter().print(threads())));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http && http.getRequestURI().equals(FILTER)) {
            exhaust();
        }
        chain.doFilter(request, response);
    }

    private static String threads() {
        return Thread.getDefaultUncaughtExceptionHandler() + " hears of "
                + Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .toList();
    }

    private static void exhaust() {
        long[] tooMuch = new long[1 << 30];
        System.out.println(tooMuch.length);
    }
}
