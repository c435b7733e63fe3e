package dev.purser.dataset;

import dev.purser.json.JsonDocument;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** How registrations divide rows into blocks, and which divisions are refused. */
class BlockRegistrationTests {
    private static final String COLUMNS = "[{'name':'day','type':'date','lower':'2024-02-15','upper':'2024-12-31',"
            + "'missing':'2024-02-15'},{'name':'n','type':'integer','lower':-100,'upper':1000,'resolution':10,"
            + "'missing':0},{'name':'x','type':'decimal','lower':0,'upper':9,'resolution':1,'missing':0},"
            + "{'name':'half','type':'integer','lower':0,'upper':9,'resolution':0.5,'missing':0},"
            + "{'name':'long','type':'date','lower':'0001-01-01','upper':'9999-12-31','missing':'2024-01-01'}]";

    private static final String TABLE = ",'source':{'type':'table','connection':'c','table':'s.t'}";

    private static String body(String changes) {
        return """
                {"id":"meters","columns":%s,"privacyUnit":{"type":"row"},"maxRows":9,"budget":{"epsilon":"1"}%s}""".formatted(COLUMNS, changes).replace('\'', '"');
    }

    private static Registration read(String changes) {
        return JsonDocument.parse(body(changes).getBytes(StandardCharsets.UTF_8))
                .read(RegistrationReader::read);
    }

    private static final String AR = ",'neighboringRelation':'add-or-remove-one'";

    private static Dataset dataset(String blocks) {
        return new Dataset(
                read(AR + ",'blocks':" + blocks),
                "",
                "meters",
                DatasetState.READY,
                "carla",
                Instant.EPOCH,
                null,
                ReadyBlocks.NONE,
                Map.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'column':'day','width':'day'} | 321 | 2024-02-15 | 2024-12-31",
                "{'column':'day','width':'week'} | 47 | 2024-02-12 | 2024-12-30",
                "{'column':'day','width':'month'} | 11 | 2024-02 | 2024-12",
                "{'column':'n','width':100} | 12 | -100 | 1000",
                "{'column':'n','width':10000} | 2 | -10000 | 0"
            })
    void blocksFollowFromTheColumnAndTheWidth(String blocks, int count, String first, String last) {
        Blocks divided = dataset(blocks).blocks().orElseThrow();
        assertThat(divided.count()).isEqualTo(count);
        assertThat(divided.label(0)).isEqualTo(first);
        assertThat(divided.label(count - 1)).isEqualTo(last);
    }

    /** The edges are numbers of steps of the column's grid. */
    @Test
    void knowsWhereTheStoredValuesOfABlockBegin() {
        BlockColumn byHundreds =
                dataset("{'column':'n','width':100}").blockColumn().orElseThrow();
        assertThat(byHundreds.edges(new BlockWindow(0, 3))).containsExactly(-10, 0, 10, 20, 30);
        BlockColumn byMonths =
                dataset("{'column':'day','width':'month'}").blockColumn().orElseThrow();
        assertThat(byMonths.edges(BlockWindow.of(0)))
                .as("a month with a leap day")
                .containsExactly(19754, 19783);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | /blocks/column, /blocks/width |",
                "{'column':'day'} | /blocks/width |",
                "{'column':'days','width':'day'} | /blocks/column"
                        + " | column must be a listed column of type date or integer: \"day\", \"n\", \"half\","
                        + " \"long\", was \"days\"; the nearest is \"day\"",
                "{'column':'x','width':1} | /blocks/column |",
                "{'column':'half','width':1} | /blocks/column"
                        + " | the resolution of a column of blocks must be an integer of at most 1048576, was 0.5",
                "{'column':'day','width':'year'} | /blocks/width"
                        + " | width must be one of \"day\", \"week\", \"month\", was \"year\"",
                "{'column':'day','width':7} | /blocks/width |",
                "{'column':'n','width':'day'} | /blocks/width |",
                "{'column':'n','width':0} | /blocks/width |",
                "{'column':'n','width':25} | /blocks/width"
                        + " | width must be a multiple of the column's resolution 10, was 25",
                "{'column':'long','width':'week'} | /blocks/width"
                        + " | width must make at most 10000 blocks of the column's values, week makes 521723:"
                        + " choose a larger width, or closer bounds of the column",
                "{'column':'day','width':'day','rowsKeepTheirBlock':false} | /blocks/rowsKeepTheirBlock |",
                "{'column':'day','width':'day','rowsKeepTheirBlock':1} | /blocks/rowsKeepTheirBlock |",
                "{'column':'day','width':'day','delayDays':1} | /blocks/delayDays"
                        + " | delayDays is only of a table that is divided by dates: leave it out",
                "{'column':'day','width':'day','more':1} | /blocks/more |",
                "'day' | /blocks |"
            })
    void refusesADivisionThatBreaksARule(String blocks, String places, String detail) {
        refuses(AR + ",'blocks':" + blocks, places, detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'column':'day','width':'day'} | /blocks/rowsKeepTheirBlock"
                        + " | rowsKeepTheirBlock is required for a table: state true if no row's value in the column of"
                        + " blocks ever changes, and register without blocks otherwise",
                "{'column':'day','width':'day','rowsKeepTheirBlock':false} | /blocks/rowsKeepTheirBlock |",
                "{'column':'n','width':10,'rowsKeepTheirBlock':true,'delayDays':1} | /blocks/delayDays |",
                "{'column':'day','width':'day','rowsKeepTheirBlock':true,'delayDays':-1} | /blocks/delayDays |"
            })
    void aTableHasRulesOfItsOwn(String blocks, String places, String detail) {
        refuses(AR + TABLE + ",'blocks':" + blocks, places, detail);
    }

    @Test
    void aTableMayWaitForLateRows() {
        Registration table =
                read(AR + TABLE + ",'blocks':{'column':'day','width':'day','rowsKeepTheirBlock':true,'delayDays':3}");
        assertThat(table.blocks().map(BlockDivision::delayDays)).hasValue(3);
    }

    @Test
    void aReplacedRowMayChangeItsBlockAndAnAccountOfBlocksIsNotShared() {
        String blocks = ",'blocks':{'column':'day','width':'day'}";
        refuses(
                ",'neighboringRelation':'replace-one'" + blocks,
                "/neighboringRelation",
                "neighboringRelation must be \"add-or-remove-one\" for a dataset with blocks:"
                        + " a replaced row may be in another block");
        refuses(
                AR + ",'sharesAccountWith':'visits'" + blocks,
                "/sharesAccountWith",
                "a dataset with blocks has an account of its own: leave sharesAccountWith out, or blocks");
    }

    @Test
    void aDatasetWithoutBlocksStaysOne() {
        assertThat(read(AR).blocks()).isEmpty();
        assertThat(read(AR + ",'blocks':null").blocks()).isEqualTo(Optional.empty());
    }

    private static void refuses(String changes, String places, String detail) {
        ProblemException refusal = catchThrowableOfType(ProblemException.class, () -> read(changes));
        assertThat(refusal.violations()).extracting(Violation::location).containsExactlyInAnyOrder(places.split(", "));
        if (detail != null) {
            assertThat(refusal.violations().getFirst().detail()).isEqualTo(detail);
        }
    }
}
