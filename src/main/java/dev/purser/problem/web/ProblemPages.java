package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The pages that the {@code type} of a problem document refers to. Their text is fixed, independent of requests. */
@RestController
@RequestMapping(path = "/problems", produces = MediaType.TEXT_HTML_VALUE + ";charset=UTF-8")
@io.swagger.v3.oas.annotations.Hidden
final class ProblemPages {
    @GetMapping
    String index() {
        String rows = Arrays.stream(ProblemType.values())
                .map(type -> "<tr><td>%d</td><td><a href=\"problems/%s\">%s</a></td><td>%s</td></tr>"
                        .formatted(type.status(), type.slug(), type.slug(), type.title()))
                .collect(Collectors.joining("\n"));
        return page(
                "Problems",
                "<p>All refusals of this service. A refusal is a document of type"
                        + " <code>application/problem+json</code> (RFC 9457), and its <code>type</code>"
                        + " is the address of one of these pages.</p>\n<table>\n"
                        + rows + "\n</table>");
    }

    @GetMapping("/{slug}")
    String page(@PathVariable String slug) {
        ProblemType type = Arrays.stream(ProblemType.values())
                .filter(each -> each.slug().equals(slug))
                .findFirst()
                .orElseThrow(() -> ProblemException.of(ProblemType.NOT_FOUND, "There is no such problem type"));
        return page(
                type.title(),
                ("<p><code>%s</code>, HTTP status %d</p>\n<h2>What it means</h2>\n<p>%s</p>\n"
                                + "<h2>What to do</h2>\n<p>%s</p>\n<p><a href=\"../problems\">All problems</a></p>")
                        .formatted(type.slug(), type.status(), type.meaning(), type.remedy()));
    }

    private static String page(String title, String content) {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%1$s · Purser</title>
                <style>
                body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
                td { padding: .2rem 1rem .2rem 0; vertical-align: top; }
                </style>
                </head>
                <body>
                <h1>%1$s</h1>
                %2$s
                </body>
                </html>
                """.formatted(title, content);
    }
}
