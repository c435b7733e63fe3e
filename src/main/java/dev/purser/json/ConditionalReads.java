package dev.purser.json;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/**
 * Reads with an {@code ETag} of the bytes that are sent. A client keeps them and asks again with {@code If-None-Match};
 * while they are the same, the answer is 304 without a body. For short bodies: each is held in memory once.
 */
public final class ConditionalReads extends ShallowEtagHeaderFilter {
    private final Pattern paths;
    private final String cacheControl;

    private ConditionalReads(Pattern paths, String cacheControl) {
        this.paths = paths;
        this.cacheControl = cacheControl;
        // With a strong one, the connector would not compress the body.
        setWriteWeakETag(true);
    }

    /**
     * For a {@code GET} of these paths.
     *
     * @param cacheControl who may keep them
     */
    public static FilterRegistrationBean<ConditionalReads> of(Pattern paths, String cacheControl) {
        return new FilterRegistrationBean<>(new ConditionalReads(paths, cacheControl));
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !HttpMethod.GET.matches(request.getMethod())
                || !paths.matcher(request.getRequestURI()).matches();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader(HttpHeaders.CACHE_CONTROL, cacheControl);
        super.doFilterInternal(request, response, chain);
    }
}
