package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The visible form of a reply (status, names of headers, every member of the document outside the answer, in order) is
 * the same for neighbouring datasets, including those in which sums, bounds and empty filters are extreme. Each
 * question is asked of both datasets several times.
 */
class TranscriptTests extends RunningService {
    private static final int TIMES = 3;
    private static final String HEADER = "age,hours,sex\n";
    private static final String SOME = "30,40,Male\n31,38.25,Female\n".repeat(20);

    private static final Map<String, List<String>> QUESTIONS = Map.of(
            "count", List.of("", ",'where':[{'column':'age','above':124}]"),
            "sum", List.of(",'column':'hours','where':[{'column':'sex','in':['']}]", ",'column':'age'"),
            "mean",
                    List.of(
                            ",'column':'hours','method':'auto-clip'",
                            ",'column':'hours','method':'sum-and-count'",
                            ",'column':'age','method':'centered','where':[{'column':'age','below':0}]"),
            "histogram", List.of(",'column':'sex'", ",'column':'age','edges':[0,50,125]"),
            "quantile", List.of(",'column':'hours','probabilities':[0,0.5,1]"),
            "threshold", List.of(",'threshold':20,'queries':[{'count':{}},{'sum':{'column':'age'}}]"),
            "sparse-range",
                    List.of(",'column':'age','ranges':[{'above':29},{'above':124}],'threshold':20,"
                            + "'maxPositives':2,'release':'values'"));

    static List<String> rowMoreOrLess() {
        return List.of("125,100,Male\n", "0,0,\n", "99999999999999999999,1e400,Female\n", "-1,,Male\n");
    }

    @ParameterizedTest
    @MethodSource("rowMoreOrLess")
    void neighboursHaveTheSameTranscript(String row) throws Exception {
        haveTheSameTranscript(HEADER + SOME, HEADER + SOME + row);
    }

    @ParameterizedTest
    @MethodSource("rowMoreOrLess")
    void noRowsHaveTheTranscriptOfOne(String row) throws Exception {
        haveTheSameTranscript(HEADER, HEADER + row);
    }

    @ParameterizedTest
    @MethodSource("rowMoreOrLess")
    void aReplacedRowHasTheSameTranscript(String row) throws Exception {
        String one = dataset("100000", HEADER + SOME + "7,8,Male\n", COLUMNS, "replace-one");
        String other = dataset("100000", HEADER + SOME + row, COLUMNS, "replace-one");
        for (String question : List.of(
                quoted("{'epsilon':'0.5','column':'age'}"), quoted("{'epsilon':'2','column':'hours','upper':50}"))) {
            assertThat(transcript(other, "local-mean", question)).isEqualTo(transcript(one, "local-mean", question));
        }
    }

    private void haveTheSameTranscript(String csv, String neighbouring) throws Exception {
        String one = dataset("100000", csv);
        String other = dataset("100000", neighbouring);
        for (Map.Entry<String, List<String>> kind : QUESTIONS.entrySet()) {
            for (String members : kind.getValue()) {
                for (int i = 0; i < TIMES; i++) {
                    String question = quoted("{'epsilon':'0.5'" + members + "}");
                    assertThat(transcript(other, kind.getKey(), question))
                            .as("%s %s", kind.getKey(), question)
                            .isEqualTo(transcript(one, kind.getKey(), question));
                }
            }
        }
    }

    private String transcript(String dataset, String kind, String question) throws Exception {
        HttpResponse<String> reply = ask(dataset, kind, question);
        StringBuilder text = new StringBuilder().append(reply.statusCode());
        text.append(new TreeSet<>(reply.headers().map().keySet()));
        write(json(reply), text);
        return text.toString();
    }

    private static void write(JsonNode node, StringBuilder text) {
        if (node.isObject()) {
            node.propertyStream().forEach(member -> {
                text.append(member.getKey()).append(':');
                if (member.getKey().equals("answer")) {
                    text.append(new TreeSet<>(member.getValue().propertyNames()));
                } else {
                    write(member.getValue(), text);
                }
            });
        } else if (node.isArray()) {
            node.forEach(item -> write(item, text));
        } else {
            text.append(node.getNodeType()).append(',');
        }
    }
}
