package ingest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/schedule"
	"rollcall/models"
	"rollcall/models/source"
)

// portal is a county's page on this machine; its answer can be changed.
type portal struct {
	*httptest.Server
	answer atomic.Pointer[string]
	asked  atomic.Int32
}

func newPortal(t *testing.T, answer string) *portal {
	t.Helper()
	p := &portal{}
	p.says(answer)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p.asked.Add(1)
		_, _ = w.Write([]byte(*p.answer.Load()))
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *portal) says(text string) { p.answer.Store(&text) }

// source is a source that asks the portal every half hour.
func (p *portal) source(t *testing.T, id string) *ingest.Source {
	t.Helper()
	text := strings.NewReplacer("%s", id, "%d", "1", "decode:", "schedule: {every: 30m}\ntransport: {kind: http, pause: 1ms, refusals: [captcha], steps: [{url: '"+p.URL+"', keep: true}]}\ndecode:").Replace(rosterDocument)
	s, err := ingest.Parse([]byte(text))
	require.NoError(t, err)
	return s
}

func (b *bundle) work(s *ingest.Source) {
	b.Helper()
	worker := &schedule.Worker{Runner: b.runner, Find: func(string) (*ingest.Source, error) { return s, nil }}
	require.NoError(b, worker.Work(b.Context(), &river.Job[schedule.Args]{Args: schedule.Args{Source: s.ID}}))
}

func TestGuarantee12ASourceThatFailsIsAskedLessAndLessOften(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := newPortal(t, "please solve this captcha")
	s := p.source(t, "county-a")
	var asked []time.Duration
	start := b.now
	for range 48 { // the schedule wakes every half hour of a day
		before := p.asked.Load()
		b.work(s)
		if p.asked.Load() > before {
			asked = append(asked, b.now.Sub(start))
		}
		b.now = b.now.Add(30 * time.Minute)
	}
	h := func(hours float64) time.Duration { return time.Duration(hours * float64(time.Hour)) }
	require.Equal(t, []time.Duration{0, h(0.5), h(1.5), h(3.5), h(7.5), h(13.5), h(19.5)}, asked, "a refusal is heard")
	require.Equal(t, "refused", string(b.state(s.ID)))

	p.says("no roster at all")
	report, err := b.runner.Run(t.Context(), s, ingest.Input{})
	require.NoError(t, err, "an operator asks at once")
	require.Equal(t, source.RunFailed, report.State)
	require.True(t, one[bool](b, `select not_before = $1::timestamptz + interval '1 hour' from sources`, b.now), "a failure never waits longer than an hour")

	p.says(roster(5))
	b.now = b.now.Add(time.Hour)
	b.work(s)
	require.Equal(t, "0 ok", one[string](b, `select failures || ' ' || (select state from runs order by id desc limit 1) from sources where not_before is null`))
}

// state is how the source is shown.
func (b *bundle) state(id string) models.SourceState {
	b.Helper()
	sources, err := b.store.Sources(b.Context())
	require.NoError(b, err)
	for _, s := range sources {
		if s.ID == id {
			return s.State()
		}
	}
	return ""
}

func TestARunWhoseProcessWasKilledIsReadAgainAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := newPortal(t, roster(5))
	s := p.source(t, "county-a")
	b.work(s)
	client, err := river.NewClient(riverpgxv5.New(b.store.Pool()), &river.Config{Logger: b.runner.Log})
	require.NoError(t, err)
	first, err := client.Insert(t.Context(), schedule.Args{Source: s.ID}, nil)
	require.NoError(t, err)
	// What a killed process leaves: its job and its run are noted as running.
	_, err = b.db.Pool.Exec(t.Context(), `update river_job set state = 'running', attempt = 1, attempted_at = now(), attempted_by = '{gone}' where id = $1`, first.Job.ID)
	require.NoError(t, err)
	killed, err := b.store.BeginRun(t.Context(), s.ID, b.now)
	require.NoError(t, err)
	next, err := client.Insert(t.Context(), schedule.Args{Source: s.ID}, nil)
	require.NoError(t, err)
	require.True(t, next.UniqueSkippedAsDuplicate, "the queue takes the source for running")

	unlock, ok, err := b.store.LockSource(t.Context(), s.ID)
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, b.runner.EndInterrupted(t.Context()))
	require.Equal(t, "running", one[string](b, `select state from runs where id = $1`, killed), "somebody reads it")
	_, err = b.runner.Run(t.Context(), s, ingest.Input{})
	require.ErrorIs(t, err, ingest.ErrBusy, "nobody else does meanwhile")
	unlock()

	require.NoError(t, b.runner.EndInterrupted(t.Context()))
	run, err := b.store.Run(t.Context(), killed)
	require.NoError(t, err)
	require.Equal(t, []any{source.RunFailed, "the process that read it ended"}, []any{run.State, *run.Note})
	job, err := client.JobGet(t.Context(), first.Job.ID)
	require.NoError(t, err)
	require.Equal(t, rivertype.JobStateAvailable, job.State)

	asked := p.asked.Load()
	b.workQueue(s, job.ID)
	require.Equal(t, asked+1, p.asked.Load())
	require.Equal(t, "ok", one[string](b, `select state from runs order by id desc limit 1`))
}

// workQueue lets a client of the queue work until a job has ended.
func (b *bundle) workQueue(s *ingest.Source, id int64) {
	b.Helper()
	workers := river.NewWorkers()
	require.NoError(b, river.AddWorkerSafely(workers, &schedule.Worker{Runner: b.runner, Find: func(string) (*ingest.Source, error) { return s, nil }}))
	client, err := river.NewClient[pgx.Tx](riverpgxv5.New(b.store.Pool()), &river.Config{Logger: b.runner.Log, Workers: workers, Queues: map[string]river.QueueConfig{schedule.Queue: {MaxWorkers: 1}}})
	require.NoError(b, err)
	events, cancel := client.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed)
	defer cancel()
	require.NoError(b, client.Start(b.Context()))
	for e := range events {
		if e.Job.ID == id {
			require.Equal(b, rivertype.JobStateCompleted, e.Job.State)
			break
		}
	}
	require.NoError(b, client.Stop(b.Context()))
}

func TestAChangedScheduleOfAnEnabledSourceIsHeededAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := newPortal(t, roster(5))
	var document atomic.Pointer[ingest.Source]
	document.Store(p.source(t, "county-a"))
	find := func(string) (*ingest.Source, error) { return document.Load(), nil }
	workers := river.NewWorkers()
	require.NoError(t, river.AddWorkerSafely(workers, &schedule.Worker{Runner: b.runner, Find: find}))
	client, err := river.NewClient[pgx.Tx](riverpgxv5.New(b.store.Pool()), &river.Config{Logger: b.runner.Log, Workers: workers, Queues: map[string]river.QueueConfig{schedule.Queue: {MaxWorkers: 1}}})
	require.NoError(t, err)
	require.NoError(t, client.Start(t.Context()))
	scheduler := &schedule.Scheduler{Client: client, Find: find, Mend: b.runner.EndInterrupted, Releases: b.store, Log: b.runner.Log, Enabled: func(context.Context) ([]string, error) { return []string{"county-a"}, nil }}
	ctx, cancel := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() { scheduler.Run(ctx) })
	asked := func(times int32) {
		t.Helper()
		require.Eventually(t, func() bool { return p.asked.Load() >= times }, time.Minute, 20*time.Millisecond)
	}
	asked(1)
	sooner := *document.Load()
	sooner.Schedule.Every = time.Second
	document.Store(&sooner)
	asked(4)
	cancel()
	ended.Wait()
	require.NoError(t, client.Stop(t.Context()))
}

func TestGuarantee12SourcesOfOneHostAskItInTurn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const gap = 10 * time.Second
	var waits []time.Duration
	for range 3 {
		wait, err := b.store.HostTurn(t.Context(), "portal.example.invalid", gap)
		require.NoError(t, err)
		waits = append(waits, wait.Round(gap))
	}
	require.Equal(t, []time.Duration{0, gap, 2 * gap}, waits)
	wait, err := b.store.HostTurn(t.Context(), "another.example.invalid", gap)
	require.NoError(t, err)
	require.Zero(t, wait.Round(gap))
}

func TestARunThatAnOperatorCancelledIsNoFailureOfItsSource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	host := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel(rivertype.ErrJobCancelledRemotely) // as River does it
		<-r.Context().Done()
	}))
	t.Cleanup(host.Close)
	s := (&portal{Server: host}).source(t, "county-a")
	worker := &schedule.Worker{Runner: b.runner, Find: func(string) (*ingest.Source, error) { return s, nil }}
	err := worker.Work(ctx, &river.Job[schedule.Args]{Args: schedule.Args{Source: s.ID}})
	require.ErrorIs(t, err, rivertype.ErrJobCancelledRemotely, "River notes it as cancelled")
	require.Equal(t, "failed an operator cancelled this run", one[string](b, `select state || ' ' || error from runs`))
	require.Equal(t, 1, one[int](b, `select count(*) from sources where failures = 0 and not_before is null`), "the schedule asks it as before")
}
