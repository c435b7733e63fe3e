package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.purser.json.JsonText.quoted;

/** A client with a type for a request may send every field. A field that it did not set counts as absent. */
class NullFieldsTests extends RunningService {
    private static String id = "";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "count | {'epsilon':1,'delta':null,'beta':null,'where':null}",
                "count | {'epsilon':1,'where':[]}",
                "count | {'epsilon':1,'where':[{'column':'age','above':1,'atLeast':null,'below':null,'in':null}]}",
                "count | {'epsilon':1,'where':[{'column':'age','atMost':9,'in':[],'notIn':null}]}",
                "count | {'epsilon':1,'where':[{'column':'sex','in':[],'notIn':['Male']}]}",
                "count | {'epsilon':1,'where':[{'column':'sex','in':['Male'],'above':null,'below':null,"
                        + "'atLeast':null,'atMost':null}]}",
                "sum | {'epsilon':1,'column':'age','lower':null,'upper':null}",
                "mean | {'epsilon':1,'column':'age','method':null,'lower':null}",
                "histogram | {'epsilon':1,'column':'sex','edges':null}",
                "histogram | {'epsilon':1,'column':'sex','edges':[]}",
                "quantile | {'epsilon':1,'column':'age','probabilities':[0.5],'lower':null,'upper':null}",
                "threshold | {'epsilon':1,'threshold':1,'queries':[{'count':{'where':null},'sum':null,"
                        + "'clipLoss':null}],'whenNone':null}",
                "sparse-range | {'epsilon':1,'column':'age','ranges':[{'above':1,'below':null}],'threshold':1,"
                        + "'maxPositives':1,'release':null,'allocation':null}"
            })
    void areAsIfAbsent(String kind, String body) throws Exception {
        if (id.isEmpty()) {
            id = dataset("1000", "age,hours,sex\n1,1,Male\n");
        }
        assertStatus(200, ask(id, kind, quoted(body)));
        assertStatus(200, quote(kind, body));
        assertStatus(200, quote(kind, body.replace("'epsilon':1", "'targetAlpha':null,'epsilon':1")));
        assertStatus(200, quote(kind, body.replace("'epsilon':1", "'targetAlpha':1000000,'epsilon':null")));
    }

    private HttpResponse<String> quote(String kind, String body) throws Exception {
        return postAs(key(), "/v1/datasets/" + id + "/quotes/" + kind, quoted(body));
    }
}
