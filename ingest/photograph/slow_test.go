package photograph_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/photograph"
)

// drips answers with one byte after the other until let go, and with all of a picture then.
func drips(letGo <-chan struct{}, file []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := range file {
			_, _ = w.Write(file[i : i+1])
			_ = http.NewResponseController(w).Flush()
			select {
			case <-letGo:
				_, _ = w.Write(file[i+1:])
				return
			case <-r.Context().Done():
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
}

func TestAHostThatDripsHoldsNothingUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.taker.Patience = time.Second
	s := b.source("web", false)
	b.answer("/photos/0.jpg", drips(nil, drawn(0)))
	rows := []string{row("0", "PERSONA, SOME", "/photos/0.jpg")}
	for i := 1; i < 6; i++ {
		b.says(fmt.Sprintf("/photos/%d.jpg", i), drawn(uint8(i)))
		rows = append(rows, row(strconv.Itoa(i), fmt.Sprintf("PERSON%c, SOME", 'A'+i), fmt.Sprintf("/photos/%d.jpg", i)))
	}
	b.reads(s, rows...)
	began := time.Now()
	b.pass()
	b.pass()
	require.Less(t, time.Since(began), 30*time.Second)
	_, references := b.photographs()
	require.Equal(t, "0 wanted too_slow; 1 kept; 2 kept; 3 kept; 4 kept; 5 kept", references)
	require.Equal(t, "1", b.text(`select tries::text from photographs where key = '0'`))
	require.Equal(t, 1, b.timesAsked("/photos/0.jpg"), "it waits as after other failures")
}

// A pass waits for a host. The words that allow photographs go meanwhile, and the photographs with them: those that were there,
// and those that the pass brings yet.
func TestWordsTakenAwayWhileAHostDripsEndPhotographs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.taker.Patience = time.Minute
	s := b.source("web", false)
	var withdrawn atomic.Bool
	b.taker.Find = func(string) (*ingest.Source, error) {
		if withdrawn.Load() {
			return nil, os.ErrNotExist
		}
		return s, nil
	}
	letGo := make(chan struct{})
	b.says("/photos/1.jpg", drawn(1))
	b.says("/photos/2.jpg", drawn(2))
	b.answer("/photos/3.jpg", drips(letGo, drawn(3)))
	b.reads(s, row("1", "PERSONA, SOME", "/photos/1.jpg"))
	b.pass()
	b.reads(s, row("1", "PERSONA, SOME", "/photos/1.jpg"), row("2", "PERSONB, SOME", "/photos/2.jpg"), row("3", "PERSONC, SOME", "/photos/3.jpg"))
	var pass sync.WaitGroup
	worker := &photograph.Worker{Taker: b.taker}
	pass.Go(func() {
		if err := worker.Work(t.Context(), &river.Job[photograph.Args]{}); err != nil {
			t.Error(err)
		}
	})
	require.Eventually(t, func() bool { return b.timesAsked("/photos/3.jpg") == 1 }, 20*time.Second, 10*time.Millisecond)
	shown, _ := b.photographs()
	require.Equal(t, "PERSONA, SOME", shown)
	withdrawn.Store(true)
	b.end()
	shown, _ = b.photographs()
	require.Empty(t, shown)
	close(letGo)
	pass.Wait()
	shown, references := b.photographs()
	require.Empty(t, shown)
	require.Equal(t, "2 wanted; 3 wanted", references)
}
