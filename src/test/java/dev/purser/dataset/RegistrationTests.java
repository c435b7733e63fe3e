package dev.purser.dataset;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Registration over HTTP: every rule, what is shown afterwards, and the rules for ids and accounts. */
class RegistrationTests extends RunningService {
    private static final String AR = "add-or-remove-one";

    @Test
    void showsWhatWasRegistered() throws Exception {
        String id = newId();
        HttpResponse<String> created = assertStatus(201, register("""
                {"id":"%s","title":"Alter & Größe","columns":%s,"privacyUnit":{"type":"column","column":"user id",\
                "maxRows":4},"neighboringRelation":"add-or-remove-one","maxRows":1000000,"budget":{"epsilon":3,\
                "delta":"0"},"accountant":"pure","source":{"type":"upload"},"declaredPublic":true,\
                "sharesAccountWith":null}""".formatted(id, COLUMNS)));
        assertThat(created.headers().firstValue("Location")).hasValue("/v1/datasets/" + id);
        JsonNode shown = json(created);
        assertThat(shown.get("id").asString()).isEqualTo(id);
        assertThat(shown.get("title").asString()).isEqualTo("Alter & Größe");
        assertThat(shown.get("state").asString()).isEqualTo("registered");
        assertThat(shown.get("privacyUnit")).hasToString("""
                        {"type":"column","column":"user id","maxRows":4,"idType":"text"}""");
        assertThat(shown.at("/columns/0")).hasToString("""
                        {"name":"age","type":"integer","lower":0,"upper":125,"resolution":1,"missing":"reject"}""");
        assertThat(shown.at("/columns/1")).hasToString("""
                        {"name":"hours","type":"decimal","lower":0,"upper":100,"resolution":0.25,"missing":40}""");
        assertThat(shown.at("/columns/2")).hasToString("""
                        {"name":"sex","type":"category","categories":["Female","Male",""],"missing":"reject"}""");
        assertThat(shown.at("/budget/epsilon").asString()).isEqualTo("3");
        assertThat(shown.at("/budget/delta").asString()).isEqualTo("0");
        assertThat(shown.get("declaredPublic").asBoolean()).isTrue();
        assertThat(shown.get("sharesAccountWith").isNull()).isTrue();
        assertThat(get("/v1/datasets/" + id).body()).isEqualTo(created.body());
        assertStatus(409, register(registration(id, COLUMNS, "3", AR, "")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "id | 'Adult' | /id",
                "id | '' | /id",
                "id | '9a' | /id",
                "id | 'a_b' | /id",
                "id | '../a' | /id",
                "id | 'a\\n' | /id",
                "id | 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' | /id",
                "id | 5 | /id",
                "id | null | /id",
                "title | 5 | /title",
                "title | '' | /title",
                "columns | [] | /columns",
                "columns | {} | /columns",
                "columns | [{}] | /columns/0/name,/columns/0/type",
                "columns | [{'name':'','type':'integer','lower':0,'upper':1}] | /columns/0/name",
                "columns | [{'name':'a\\u0000','type':'integer','lower':0,'upper':1}] | /columns/0/name",
                "columns | [{'name':'a','type':'Boolean'}] | /columns/0/type",
                "columns | [{'name':'a','type':'boolean','missing':1}] | /columns/0/missing",
                "columns | [{'name':'a','type':'boolean','categories':['false','true']}] | /columns/0/categories",
                "columns | [{'name':'a','type':'date','lower':'2020-01-01'}] | /columns/0/upper",
                "columns | [{'name':'a','type':'date','lower':0,'upper':'2020-02-30'}]"
                        + " | /columns/0/lower,/columns/0/upper",
                "columns | [{'name':'a','type':'date','lower':'0000-12-31','upper':'10000-01-01'}]"
                        + " | /columns/0/lower,/columns/0/upper",
                "columns | [{'name':'a','type':'date','lower':'2020-01-02','upper':'2020-01-01'}] | /columns/0/upper",
                "columns | [{'name':'a','type':'date','lower':'2020-01-01','upper':'2020-01-02',"
                        + "'missing':'2020-01-03'}] | /columns/0/missing",
                "columns | [{'name':'a','type':'date','lower':'2020-01-01','upper':'2020-01-02','missing':'never'}]"
                        + " | /columns/0/missing",
                "columns | [{'name':'a','type':'date','lower':'2020-01-01','upper':'2020-01-02','resolution':1}]"
                        + " | /columns/0/resolution",
                "columns | [{'name':'a','type':'timestamp','lower':'2020-01-01','upper':'2020-01-02T00:00:00'}]"
                        + " | /columns/0/lower,/columns/0/upper",
                "columns | [{'name':'a','type':'timestamp','lower':'2020-01-01T00:00:01Z',"
                        + "'upper':'2020-01-01T00:00:02.5Z','resolution':2}] | /columns/0/lower,/columns/0/upper",
                "columns | [{'name':'a','type':'timestamp','lower':'1970-01-01T00:00:00Z',"
                        + "'upper':'2004-11-03T19:53:47.777Z','resolution':0.001}] | /columns/0/upper",
                "columns | [{'name':'a','type':'timestamp','lower':'x','upper':'2020-01-01T00:00:00Z','resolution':0}]"
                        + " | /columns/0/lower,/columns/0/resolution",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':1},{'name':'a','type':'integer',"
                        + "'lower':0,'upper':1}] | /columns",
                "columns | [{'name':'a','type':'integer'}] | /columns/0/lower,/columns/0/upper",
                "columns | [{'name':'a','type':'integer','lower':2,'upper':1}] | /columns/0/upper",
                "columns | [{'name':'a','type':'integer','lower':0.5,'upper':1}] | /columns/0/lower",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':1099511627777}] | /columns/0/upper",
                "columns | [{'name':'a','type':'integer','lower':-1099511627777,'upper':0}] | /columns/0/lower",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':'5'}] | /columns/0/upper",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':1e400}] | /columns/0/upper",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':5,'resolution':2}] | /columns/0/upper",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':5,'resolution':0}] | /columns/0/resolution",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':5,'resolution':-1}] | /columns/0/resolution",
                "columns | [{'name':'a','type':'decimal','lower':0,'upper':5}] | /columns/0/resolution",
                "columns | [{'name':'a','type':'decimal','lower':0,'upper':5,'resolution':null}]"
                        + " | /columns/0/resolution",
                "columns | [{'name':'a','type':'decimal','lower':0,'upper':0.3,'resolution':0.25}] | /columns/0/upper",
                "columns | [{'name':'a','type':'decimal','lower':0,'upper':100,'resolution':1e-12}] | /columns/0/upper",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':5,'missing':6}] | /columns/0/missing",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':5,'missing':'Reject'}] | /columns/0/missing",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':5,'scale':null}] | /columns/0/scale",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':5,'missing':1.5}] | /columns/0/missing",
                "columns | [{'name':'a','type':'integer','lower':0,'upper':5,'categories':['x']}]"
                        + " | /columns/0/categories",
                "columns | [{'name':'a','type':'category'}] | /columns/0/categories",
                "columns | [{'name':'a','type':'category','categories':[]}] | /columns/0/categories",
                "columns | [{'name':'a','type':'category','categories':['x','x']}] | /columns/0/categories",
                "columns | [{'name':'a','type':'category','categories':['x',1]}] | /columns/0/categories/1",
                "columns | [{'name':'a','type':'category','categories':['x'],'missing':'y'}] | /columns/0/missing",
                "columns | [{'name':'a','type':'category','categories':['x'],'lower':0}] | /columns/0/lower",
                "privacyUnit | {'type':'person'} | /privacyUnit/type",
                "privacyUnit | {'type':'row','maxRows':2} | /privacyUnit/maxRows",
                "privacyUnit | {'type':'row','idType':'text'} | /privacyUnit/idType",
                "privacyUnit | {'type':'column','column':'u','maxRows':1,'idType':'number'} | /privacyUnit/idType",
                "privacyUnit | {'type':'column'} | /privacyUnit/column,/privacyUnit/maxRows",
                "privacyUnit | {'type':'column','column':'u','maxRows':0} | /privacyUnit/maxRows",
                "privacyUnit | {'type':'column','column':'age','maxRows':1} | /columns",
                "privacyUnit | 'row' | /privacyUnit",
                "neighboringRelation | 'replace' | /neighboringRelation",
                "neighboringRelation | null | /neighboringRelation",
                "maxRows | 0 | /maxRows",
                "maxRows | 1.5 | /maxRows",
                "maxRows | '5' | /maxRows",
                "maxRows | 1e6 | /maxRows",
                "budget | {} | /budget/epsilon",
                "budget | {'epsilon':0} | /budget/epsilon",
                "budget | {'epsilon':1000000.000000001} | /budget/epsilon",
                "budget | {'epsilon':1000001} | /budget/epsilon",
                "budget | {'epsilon':'1e3'} | /budget/epsilon",
                "budget | {'epsilon':1,'delta':1e-6} | /budget/delta",
                "budget | {'epsilon':1,'rho':1} | /budget/rho",
                "budget | 3 | /budget",
                "accountant | 'zcdp' | /budget/delta",
                "accountant | 'rdp' | /accountant",
                "accountant | 'PURE' | /accountant",
                "source | {'type':'file'} | /source/type",
                "source | {'type':'table'} | /source/connection,/source/table",
                "source | {'type':'upload','path':'/etc/passwd'} | /source/path",
                "declaredPublic | 'yes' | /declaredPublic",
                "declaredOtherPeople | 1 | /declaredOtherPeople",
                "sharesAccountWith | 'never-registered' | /sharesAccountWith",
                "sharesAccountWith | 'NO' | /sharesAccountWith",
                "url | 'http://x' | /url"
            })
    void namesTheBrokenRule(String member, String value, String places) throws Exception {
        String id = newId();
        List<String> members = new ArrayList<>();
        for (String each : List.of(
                "'id':'" + id + "'",
                "'columns':[{'name':'age','type':'integer','lower':0,'upper':125}]",
                "'privacyUnit':{'type':'row'}",
                "'neighboringRelation':'add-or-remove-one'",
                "'maxRows':1000",
                "'budget':{'epsilon':'3','delta':'0'}")) {
            if (!each.startsWith("'" + member + "'")) {
                members.add(each);
            }
        }
        members.add("'" + member + "':" + value);
        String body = ("{" + String.join(",", members) + "}").replace('\'', '"');
        JsonNode problem = assertProblem(422, "validation-failed", register(body));
        assertThat(places(problem)).containsExactlyInAnyOrder(places.split(","));
        assertProblem(404, "not-found", get("/v1/datasets/" + id));
        assertProblem(404, "not-found", get("/v1/datasets/" + id + "/budget"));
        assertThat(folder(id)).doesNotExist();
    }

    @Test
    void anOptionalMemberThatIsNullOrEmptyIsAsIfAbsent() throws Exception {
        String id = newId();
        String columns = """
                [{"name":"age","type":"integer","lower":0,"upper":125,"resolution":null,"missing":null,"categories":[]},
                 {"name":"sex","type":"category","categories":["F","M"],"lower":null,"upper":null,"missing":null},
                 {"name":"in","type":"boolean","categories":null,"resolution":null},
                 {"name":"on","type":"date","lower":"2020-01-01","upper":"2020-02-01","resolution":null}]""";
        String body = registration(
                        id,
                        columns,
                        "1",
                        AR,
                        ",'title':null,'accountant':null,'declaredPublic':null,'declaredOtherPeople':null,"
                                + "'sharesAccountWith':null,"
                                + "'source':{'type':'upload','connection':null,'table':null}")
                .replace(quoted("{'type':'row'}"), quoted("{'type':'row','column':null,'maxRows':null}"))
                .replace("\"delta\":\"0\"", "\"delta\":null");
        JsonNode shown = json(assertStatus(201, register(body)));
        assertThat(shown.get("accountant").asString()).isEqualTo("pure");
        String other = registered(columns, "1", AR, ",'source':null");
        assertThat(json(get("/v1/datasets/" + other)).get("columns")).isEqualTo(shown.get("columns"));
    }

    @Test
    void namesEveryMissingMemberAtOnce() throws Exception {
        assertThat(invalidPlaces(register("{}")))
                .containsExactlyInAnyOrder(
                        "/id", "/columns", "/privacyUnit", "/neighboringRelation", "/maxRows", "/budget");
        for (String body : List.of("null", "[]", "\"x\"", "7")) {
            assertThat(invalidPlaces(register(body))).containsExactly("");
        }
        assertProblem(400, "malformed-request", register("{"));
        assertProblem(415, "unsupported-media-type", send("POST", "/v1/datasets", "{}", "Content-Type", "text/csv"));
    }

    @Test
    void anIdIsUsedOnceAndForAll() throws Exception {
        String id = dataset("3", "age,hours,sex\n1,1,Male\n");
        HttpResponse<String> answer = assertStatus(200, ask(id, "count", """
                {"epsilon":1}""", "Idempotency-Key", "k"));
        assertStatus(204, send("DELETE", "/v1/datasets/" + id, ""));
        assertThat(filesOf(id)).isEmpty();
        assertProblem(404, "not-found", get("/v1/datasets/" + id));
        assertProblem(404, "not-found", send("DELETE", "/v1/datasets/" + id, ""));
        assertProblem(404, "not-found", ask(id, "count", quoted("{'epsilon':1}"), "Idempotency-Key", "k"));
        assertProblem(404, "not-found", upload(id, "age,hours,sex\n1,1,Male\n"));
        assertProblem(409, "already-exists", register(registration(id, COLUMNS, "3", AR, "")));
        assertThat(spent(id)).isEqualTo("1");
        assertThat(entries(id)).isEqualTo(2);
        assertThat(get("/v1/queries/" + json(answer).get("queryId").asString()).body())
                .isEqualTo(answer.body());
    }

    /** The epsilon and the delta are so small that their rho is less than one unit. */
    @Test
    void refusesALimitThatNoQuestionFitsInto() throws Exception {
        String body = registration(newId(), COLUMNS, "0.000001001", AR, ",'accountant':'zcdp'")
                .replace("\"delta\":\"0\"", "\"delta\":\"6.69e-16\"");
        assertThat(invalidPlaces(register(body))).containsExactly("/budget/epsilon");
    }

    @Test
    void twoDatasetsCanShareAnAccount() throws Exception {
        String first = dataset("1", "age,hours,sex\n1,1,Male\n");
        String second = newId();
        String shares = ",'sharesAccountWith':'" + first + "'";
        for (String other : List.of("2", "0.5")) {
            assertThat(invalidPlaces(register(registration(second, COLUMNS, other, AR, shares))))
                    .containsExactly("/sharesAccountWith");
        }
        assertThat(invalidPlaces(register(registration(second, COLUMNS, "1", "replace-one", shares))))
                .containsExactly("/sharesAccountWith");
        JsonNode shown = json(assertStatus(201, register(registration(second, COLUMNS, "1", AR, shares))));
        assertThat(shown.get("sharesAccountWith").asString()).isEqualTo(first);
        assertStatus(200, upload(second, ofItsOwn(first, "age,hours,sex\n1,1,Male\n")));
        assertStatus(200, ask(first, "count", quoted("{'epsilon':'0.5'}"), "Idempotency-Key", "k"));
        assertStatus(200, ask(second, "count", quoted("{'epsilon':'0.5'}"), "Idempotency-Key", "k"));
        assertProblem(409, "budget-exhausted", ask(first, "count", quoted("{'epsilon':'0.1'}")));
        assertThat(spent(first)).isEqualTo("1");
        assertThat(spent(second)).isEqualTo("1");
        assertThat(json(get("/v1/datasets/" + second))
                        .at("/budget/remaining/epsilon")
                        .asString())
                .isEqualTo("0");
        // The account outlives the dataset that opened it.
        assertStatus(204, send("DELETE", "/v1/datasets/" + first, ""));
        assertProblem(409, "budget-exhausted", ask(second, "count", quoted("{'epsilon':'0.1'}")));
    }

    /** Persian and Hindi words and some emoji contain joiners, which are not control characters. */
    @Test
    void namesMayHaveTheCharactersOfScripts() throws Exception {
        for (String name : List.of(
                "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
                "\u0915\u094d\u200d\u0937",
                "\ud83d\udc69\u200d\ud83d\udd2c")) {
            String column = "[{\"name\":\"" + name + "\",\"type\":\"category\",\"categories\":[\"" + name + "\"]}]";
            String id = registered(column, "100", "add-or-remove-one", "");
            assertStatus(200, upload(id, ofItsOwn(id, name + "\n" + name + "\n")));
            assertThat(counted(id, "{\"column\":\"" + name + "\",\"in\":[\"" + name + "\"]}"))
                    .isEqualTo("1");
        }
        for (String control : List.of("\\u0000", "\\u0009", "\\u007f", "\\u0085")) {
            assertProblem(
                    422,
                    "validation-failed",
                    register(registration(
                            newId(),
                            "[{\"name\":\"a" + control + "\",\"type\":\"boolean\"}]",
                            "1",
                            "add-or-remove-one",
                            "")));
        }
    }
}
