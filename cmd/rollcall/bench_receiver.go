package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"rollcall/notifier"
)

// Paths of the receiver: the account and a number follow, or, of an endpoint that never answers, anything.
const (
	benchHook = "/hook/"
	benchHang = "/hang/"
)

// benchPatience is how long nothing may come before what is still on its way counts as missing. It is long, as what comes
// late on a busy machine is a figure too.
const benchPatience = 30 * time.Second

// benchReceiver is every endpoint of the bench: it believes only what both schemes prove, and notes when an event first
// came to an address.
type benchReceiver struct {
	url       string
	authority *x509.Certificate
	server    *http.Server
	ended     chan error
	release   chan struct{} // ends what hangs

	mu      sync.Mutex
	secrets map[string]notifier.Secret // by account
	came    map[arrival]time.Time
	forged  int
}

// arrival is an event at one address.
type arrival struct{ event, path string }

func newBenchReceiver(ctx context.Context) (*benchReceiver, error) {
	cert, err := newLocalCert(time.Now())
	if err != nil {
		return nil, err
	}
	plain, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the bench's webhooks: %w", err)
	}
	v := &benchReceiver{
		url: "https://" + plain.Addr().String(), authority: cert.authority, ended: make(chan error, 1), release: make(chan struct{}),
		secrets: map[string]notifier.Secret{}, came: map[arrival]time.Time{},
	}
	v.server = newServer(v, slog.New(slog.DiscardHandler))
	go func() { v.ended <- serveUntilClosed(v.server, tls.NewListener(plain, cert.server())) }()
	return v, nil
}

func (v *benchReceiver) stop() {
	close(v.release)
	_, _ = v.server.Close(), <-v.ended
}

// ServeHTTP takes a delivery.
func (v *benchReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, benchHang) {
		select {
		case <-v.release:
		case <-r.Context().Done():
		}
		return
	}
	now := time.Now()
	body, err := io.ReadAll(r.Body)
	account, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, benchHook), "/")
	v.mu.Lock()
	defer v.mu.Unlock()
	secret := v.secrets[account]
	if err != nil || notifier.VerifyService(r.Header, body, secret) != nil || notifier.VerifyStandard(r.Header, body, secret, now) != nil {
		v.forged++
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	at := arrival{r.Header.Get(notifier.HeaderStandardID), r.URL.Path}
	if v.came[at].IsZero() {
		v.came[at] = now
	}
}

func (v *benchReceiver) trust(account string, s notifier.Secret) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.secrets[account] = s
}

func (v *benchReceiver) forgeries() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.forged
}

// take gives what came since the last call.
func (v *benchReceiver) take() map[arrival]time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	out := v.came
	v.came = map[arrival]time.Time{}
	return out
}

// await waits until n deliveries have come, for as long as that takes progress within patience.
func (v *benchReceiver) await(ctx context.Context, n int, patience time.Duration) {
	last, since := -1, time.Now()
	for tick := time.NewTicker(10 * time.Millisecond); ; {
		v.mu.Lock()
		got := len(v.came)
		v.mu.Unlock()
		if got != last {
			last, since = got, time.Now()
		}
		if got >= n || time.Since(since) > patience {
			tick.Stop()
			return
		}
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
	}
}
