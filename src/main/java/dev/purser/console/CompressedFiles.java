package dev.purser.console;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.AbstractResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.resource.AbstractResourceResolver;
import org.springframework.web.servlet.resource.HttpResource;
import org.springframework.web.servlet.resource.ResourceResolverChain;

/**
 * Compresses a file for a browser that accepts it. The resolver before this resolver keeps the result, so that each
 * file is compressed once. The connector would compress it for every request, and these requests need no key.
 */
final class CompressedFiles extends AbstractResourceResolver {
    private static final String GZIP = "gzip";

    @Override
    protected @Nullable Resource resolveResourceInternal(
            @Nullable HttpServletRequest request,
            String path,
            List<? extends Resource> locations,
            ResourceResolverChain chain) {
        Resource file = chain.resolveResource(request, path, locations);
        return file == null || request == null || !accepts(request) ? file : new Compressed(file);
    }

    private static boolean accepts(HttpServletRequest request) {
        String accepted = request.getHeader(HttpHeaders.ACCEPT_ENCODING);
        return accepted != null && accepted.contains(GZIP);
    }

    @Override
    protected @Nullable String resolveUrlPathInternal(
            String path, List<? extends Resource> locations, ResourceResolverChain chain) {
        return chain.resolveUrlPath(path, locations);
    }

    private static final class Compressed extends AbstractResource implements HttpResource {
        private final Resource file;
        private final byte[] bytes;

        Compressed(Resource file) {
            this.file = file;
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            try (GZIPOutputStream into = new GZIPOutputStream(compressed);
                    InputStream from = file.getInputStream()) {
                from.transferTo(into);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
            bytes = compressed.toByteArray();
        }

        @Override
        public HttpHeaders getResponseHeaders() {
            HttpHeaders headers = new HttpHeaders();
            headers.set(HttpHeaders.CONTENT_ENCODING, GZIP);
            return headers;
        }

        @Override
        public InputStream getInputStream() {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public long contentLength() {
            return bytes.length;
        }

        @Override
        public long lastModified() throws IOException {
            return file.lastModified();
        }

        @Override
        public @Nullable String getFilename() {
            return file.getFilename();
        }

        @Override
        public String getDescription() {
            return file.getDescription();
        }
    }
}
