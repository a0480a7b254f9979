package simulator

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 4, People: 1000, Still: true})
	for name, test := range map[string]struct {
		method, path, body string
		status             int
	}{
		"a roster that is asked for by POST refuses GET":  {"GET", "/zuercher/bartow/api/portal/inmates/load", "", http.StatusMethodNotAllowed},
		"a file refuses POST":                             {"POST", "/court-delta/cases.txt", "", http.StatusMethodNotAllowed},
		"a county that is another vendor's is not found":  {"POST", "/zuercher/hall/api/portal/inmates/load", "{}", http.StatusNotFound},
		"a person who is not there is not found":          {"GET", "/new-world/houston/inmates/1", "", http.StatusNotFound},
		"a body over 64 KiB is refused":                   {"POST", "/zuercher/bartow/api/portal/inmates/load", `"` + strings.Repeat("x", 64<<10) + `"`, http.StatusRequestEntityTooLarge},
		"a body that is no JSON is refused":               {"POST", "/zuercher/bartow/api/portal/inmates/load", "{", http.StatusBadRequest},
		"a time that is none is refused":                  {"GET", "/court-delta/cases.txt?since=yesterday", "", http.StatusBadRequest},
		"a page number that is none means the first page": {"GET", "/new-world/houston/inmates?page=first", "", http.StatusOK},
		"a negative start means the first page":           {"POST", "/zuercher/bartow/api/portal/inmates/load", `{"paging":{"start":-5,"count":-1}}`, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.status, b.ask(t, test.method, test.path, test.body).Code)
		})
	}
	t.Run("a page has 500 rows at most", func(t *testing.T) {
		t.Parallel()
		b := setup(t, Options{Seed: 4, People: 3000, Still: true, Rosters: []Roster{{"bartow", ShapeZuercher}}})
		text := b.fetch(t, "POST", "/zuercher/bartow/api/portal/inmates/load", `{"paging":{"start":0,"count":1000000000}}`)
		require.Equal(t, maxPage, strings.Count(text, `"cell_block"`))
	})
}

func TestOnlyLoopbackIsListenedOn(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "nonsense"} {
		_, err := Listen(t.Context(), address)
		require.Error(t, err, address)
	}
}

func TestServeStopsWithItsContext(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 4, People: 400, Pace: 10 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	listener, err := Listen(ctx, "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- b.Serve(ctx, listener) }()

	base := "http://" + listener.Addr().String()
	var readers sync.WaitGroup
	answers := make(chan error, 64)
	for range 8 {
		readers.Go(func() {
			for _, feed := range b.Feeds() {
				b.clock.forward(50 * time.Millisecond)
				answers <- request(t.Context(), feed, base)
			}
		})
	}
	go func() {
		readers.Wait()
		close(answers)
	}()
	for err := range answers {
		require.NoError(t, err)
	}
	cancel()
	require.NoError(t, <-served)
	require.Error(t, request(t.Context(), b.Feeds()[0], base), "nobody answers any more")
}

// request asks for a feed's first page over the wire.
func request(ctx context.Context, feed Feed, base string) error {
	r, err := http.NewRequestWithContext(ctx, feed.Method, base+feed.Path, strings.NewReader(firstBody(feed)))
	if err != nil {
		return err
	}
	answer, err := (&http.Client{Timeout: 10 * time.Second}).Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK && feed.Shape != ShapeCitizen {
		return fmt.Errorf("%s answers %d", feed.ID, answer.StatusCode)
	}
	return nil
}
