package dev.purser.query.web;

import dev.purser.http.CsvTable;
import dev.purser.json.Shape;
import dev.purser.openapi.Schemas;
import dev.purser.query.AnswerEnvelope;
import dev.purser.query.ChargedKinds;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionKinds;
import dev.purser.query.SeparateKinds;
import dev.purser.query.quote.QuoteRequest;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Describes two operations for each kind of question, such as {@code askMean} and {@code quoteMean}. The parts that
 * differ come from the kind. The common parts come from the operations of the controllers' methods. The described
 * operations replace these.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class KindOperations implements OpenApiCustomizer {
    static final String KIND = "kind";
    private static final String ANY_KIND = "{" + KIND + "}";
    private static final String JSON = org.springframework.http.MediaType.APPLICATION_JSON_VALUE;

    private final ChargedKinds kinds;

    KindOperations(ChargedKinds kinds) {
        this.kinds = kinds;
    }

    @Override
    public void customise(OpenAPI api) {
        Schemas schemas = new Schemas(api.getComponents());
        Paths paths = api.getPaths();
        Operation ask = removed(paths, QuestionController.PATH);
        Operation quote = removed(paths, QuoteController.PATH);
        for (QuestionKind kind : QuestionKinds.ALL) {
            add(paths, QuestionController.PATH, kind, asking(kind, ask, schemas));
        }
        for (QuestionKind kind : QuestionKinds.ALL) {
            add(paths, QuoteController.PATH, kind, quoting(kind, asking(kind), quote, schemas));
        }
        for (SeparateKinds together : kinds.separate()) {
            for (SeparateKinds.One each : together.kinds()) {
                if (each.isQuoted()) {
                    add(
                            paths,
                            QuoteController.PATH,
                            each.kind(),
                            quoting(each.kind(), each.operation(), quote, schemas));
                }
                answer(each.kind(), schemas);
            }
            List<QuestionKind> all =
                    together.kinds().stream().map(SeparateKinds.One::kind).toList();
            answer(together.answer(), together.description(), all, schemas);
        }
        describeAnyAnswer(paths, schemas);
        describePlan(paths, schemas);
        response(post(paths, RefinementController.PATH))
                .getContent()
                .addMediaType(
                        JSON,
                        new MediaType().schema(answer("RefinedAnswer", "A better answer.", kinds.quoted(), schemas)));
        // Each kind has a copy of this schema.
        api.getComponents().getSchemas().remove(AnswerEnvelope.class.getSimpleName());
    }

    private void describeAnyAnswer(Paths paths, Schemas schemas) {
        SequencedMap<String, String> answers = new LinkedHashMap<>();
        kinds.all().forEach(kind -> answers.put(kind.name(), answerName(kind)));
        answers.put("threshold-session", "ThresholdSession");
        Schema<?> answer = Schemas.oneOf("kind", answers)
                .description(
                        "An answer to a question of any kind. Of a charge of a session, the session at that time.");
        response(Objects.requireNonNull(paths.get(AnswerController.PATH)).getGet())
                .getContent()
                .addMediaType(JSON, new MediaType().schema(schemas.reference("Answer", answer)));
    }

    private static void describePlan(Paths paths, Schemas schemas) {
        Schema<?> items =
                Schemas.typed("array").items(answer("PlanAnswer", "An answer of a plan.", QuestionKinds.ALL, schemas));
        Schema<?> plan = Schemas.typed("object").addProperty("items", items.description("In the order of the plan."));
        plan.setRequired(List.of("items"));
        response(post(paths, PlanController.PATH)).setContent(json(schemas.reference("PlanAnswers", plan)));
    }

    /** The answer to a question of one of these kinds. */
    private static Schema<?> answer(String name, String description, List<QuestionKind> kinds, Schemas schemas) {
        SequencedMap<String, String> answers = new LinkedHashMap<>();
        kinds.forEach(kind -> answers.put(kind.name(), answerName(kind)));
        return schemas.reference(name, Schemas.oneOf("kind", answers).description(description));
    }

    private static Operation removed(Paths paths, String path) {
        Operation template = post(paths, path + ANY_KIND);
        paths.remove(path + ANY_KIND);
        template.getParameters().removeIf(parameter -> parameter.getName().equals(KIND));
        return template;
    }

    private static Operation post(Paths paths, String path) {
        return Objects.requireNonNull(paths.get(path)).getPost();
    }

    private static void add(Paths paths, String path, QuestionKind kind, Operation operation) {
        paths.addPathItem(path + kind.name(), new PathItem().post(operation));
    }

    private static Operation asking(QuestionKind kind, Operation template, Schemas schemas) {
        ApiResponse answered = response(template);
        Content content = json(answer(kind, schemas));
        if (kind.table().isPresent()) {
            content.addMediaType(CsvTable.TYPE, new MediaType());
        }
        return operation(template, kind.description())
                .operationId(asking(kind))
                .summary(kind.summary())
                .requestBody(body(kind, kind.request(), schemas))
                .responses(ok(new ApiResponse()
                        .description(answered.getDescription())
                        .headers(answered.getHeaders())
                        .content(content)));
    }

    private static String asking(QuestionKind kind) {
        return "ask" + kind.typeName();
    }

    /** @param asked the name of the operation that asks the question */
    private static Operation quoting(QuestionKind kind, String asked, Operation template, Schemas schemas) {
        return operation(
                        template,
                        "Takes the body of `" + asked + "`, or `targetAlpha` in place of `epsilon`. Spends"
                                + " nothing, sets nothing aside and reads no data.")
                .operationId("quote" + kind.typeName())
                .summary("What would it cost, and how near would it come? " + kind.summary())
                .requestBody(body(kind, QuoteRequest.sentFor(kind), schemas))
                .responses(ok(response(template)));
    }

    private static Operation operation(Operation template, String description) {
        return new Operation()
                .tags(template.getTags())
                .description(description + "\n\n" + template.getDescription())
                .extensions(template.getExtensions())
                .parameters(template.getParameters());
    }

    private static ApiResponse response(Operation template) {
        return Objects.requireNonNull(template.getResponses().get("200"));
    }

    private static ApiResponses ok(ApiResponse response) {
        return new ApiResponses().addApiResponse("200", response);
    }

    /** The schema of the answer's envelope, with the kind's own {@code answer}. */
    private static Schema<?> answer(QuestionKind kind, Schemas schemas) {
        Schema<?> schema = Schemas.typed("object");
        schemas.of(AnswerEnvelope.class).getProperties().forEach(schema::addProperty);
        schema.addProperty("kind", Schemas.word(kind.name()));
        schema.addProperty(
                "question",
                schemas.reference(kind.request())
                        .description("What was asked: the request in canonical form, which asks the same when it is"
                                + " sent."));
        schema.addProperty("answer", Schemas.reference(schemas.of(kind.answer()).getName()));
        schema.setRequired(schema.getProperties().keySet().stream().toList());
        schema.addProperty(
                "reusedFrom",
                Schemas.typed("string").description("In a reused answer: the queryId of the question it was for."));
        schema.addProperty(
                "answeredAt",
                Schemas.typed("string")
                        .format("date-time")
                        .description("In a reused answer: when that question was charged, in UTC. It was answered then"
                                + " or later."));
        return schemas.reference(answerName(kind), schema);
    }

    private static String answerName(QuestionKind kind) {
        return kind.typeName() + "Answer";
    }

    private static RequestBody body(QuestionKind kind, Shape.ObjectOf request, Schemas schemas) {
        SequencedMap<String, Example> examples = new LinkedHashMap<>();
        examples.put(
                kind.example().dataset(),
                Schemas.example(kind.summary(), kind.example().body()));
        return schemas.body(request, examples);
    }

    private static Content json(Schema<?> schema) {
        return new Content().addMediaType(JSON, new MediaType().schema(schema));
    }
}
