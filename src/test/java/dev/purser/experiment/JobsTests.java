package dev.purser.experiment;

import dev.purser.json.JsonDocument;
import dev.purser.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JobsTests {
    private Instant now = Instant.EPOCH;
    private final Jobs jobs = new Jobs(new Clock() {
        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    });

    @AfterEach
    void cancelAll() {
        jobs.destroy();
    }

    private Job submit(String owner, int devices) {
        String request = """
                {"distributions":["uniform"],"devices":%d,"epsilons":["1"],"methods":["harmony"],\
                "repetitions":%d}""".formatted(devices, devices > 1 ? 80 : 2);
        return jobs.submit(
                owner,
                JsonDocument.parse(request.getBytes(StandardCharsets.UTF_8)).read(MeanExperiment::read));
    }

    /** Minutes of work, which are cancelled. */
    private Job submitLong(String owner) {
        return submit(owner, 1_000_000);
    }

    private static void await(Job job) throws InterruptedException {
        for (int i = 0; i < 2000 && !job.hasEnded(); i++) {
            Thread.sleep(5);
        }
        assertThat(job.hasEnded()).isTrue();
    }

    @Test
    void oneJobRunsAndOthersWaitAndAllCanBeCancelled() throws InterruptedException {
        Job running = submitLong("ana");
        Job waiting = submitLong("ana");
        for (int i = 0; i < 2000 && running.view().state().equals("queued"); i++) {
            Thread.sleep(5);
        }
        assertThat(running.view().state()).isEqualTo("running");
        assertThat(waiting.view().state()).isEqualTo("queued");

        waiting.cancel();
        assertThat(waiting.view().state()).isEqualTo("cancelled");
        running.cancel();
        await(running);
        assertThat(running.view().state()).isEqualTo("cancelled");
        assertThat(running.view().result()).isNull();

        Job last = submit("ana", 1);
        await(last);
        last.cancel();
        assertThat(last.view().state()).isEqualTo("done");
        assertThat(last.view().progress()).isEqualByComparingTo("1");
        assertThat(last.view().result()).isNotNull();
    }

    @Test
    void onlySoManyWaitOrRun() {
        for (int i = 0; i < Jobs.MOST_OPEN; i++) {
            submitLong("p" + i / Jobs.MOST_OPEN_OF_ONE);
        }
        assertThatThrownBy(() -> submitLong("somebody")).isInstanceOf(ProblemException.class);
    }

    @Test
    void onePrincipalLeavesRoomForOthers() {
        for (int i = 0; i < Jobs.MOST_OPEN_OF_ONE; i++) {
            submitLong("ana");
        }
        assertThatThrownBy(() -> submitLong("ana")).isInstanceOf(ProblemException.class);
        assertThat(submitLong("ben").view().state()).isEqualTo("queued");
    }

    @Test
    void anEndedJobIsForgottenAfterAnHourOrWhenThereIsNoRoom() throws InterruptedException {
        Job first = submit("ana", 1);
        await(first);
        for (int i = 1; i < Jobs.MOST_KEPT; i++) {
            await(submit("ana", 1));
        }
        assertThat(jobs.named(first.id())).contains(first);
        Job last = submit("ana", 1);
        await(last);
        assertThat(jobs.named(first.id())).isEmpty();
        now = now.plus(Jobs.KEPT);
        assertThat(jobs.named(last.id())).contains(last);
        now = now.plus(Duration.ofSeconds(1));
        assertThat(jobs.named(last.id())).isEmpty();
    }

    @Test
    void thePlatformThreadHasTheLowestPriorityAndEndsWithTheWork() throws InterruptedException {
        Job running = submitLong("ana");
        Thread thread = thread();
        assertThat(thread.isVirtual()).isFalse();
        assertThat(thread.getPriority()).isEqualTo(Thread.MIN_PRIORITY);
        running.cancel();
        thread.join(Duration.ofSeconds(20));
        assertThat(thread.isAlive()).isFalse();
    }

    private static Thread thread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals("experiments"))
                .findFirst()
                .orElseThrow();
    }
}
