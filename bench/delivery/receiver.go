package delivery

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

	"rollcall/internal/receiver"
	"rollcall/notifier"
)

// Paths of the receiver. hook is followed by the account and a number. hang is followed by anything: such an
// endpoint never answers.
const (
	hook = "/hook/"
	hang = "/hang/"
)

// patience is how long nothing may come before what is still on its way counts as missing. It is long, because
// what comes late on a busy machine is a figure too.
const patience = 30 * time.Second

// endpoints is every endpoint of the benchmark. It accepts only what both signatures prove, and notes when an
// event first came to an address.
type endpoints struct {
	url       string
	authority *x509.Certificate
	server    *receiver.Server
	// release ends the requests that hang.
	release chan struct{}

	// mu guards what follows.
	mu sync.Mutex
	// secrets are by account.
	secrets map[string]notifier.Secret
	came    map[arrival]time.Time
	// forged counts requests that did not verify.
	forged int
}

// arrival is an event at one address. A repetition of it is not counted.
type arrival struct{ event, path string }

// newEndpoints listens on a free port with a certificate of this machine.
func newEndpoints(ctx context.Context) (*endpoints, error) {
	cert, err := receiver.NewCertificate(time.Now())
	if err != nil {
		return nil, err
	}
	plain, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the bench's webhooks: %w", err)
	}
	v := &endpoints{
		url: "https://" + plain.Addr().String(), authority: cert.Authority(), release: make(chan struct{}),
		secrets: map[string]notifier.Secret{}, came: map[arrival]time.Time{},
	}
	v.server = receiver.Start(tls.NewListener(plain, cert.Server()), v, slog.New(slog.DiscardHandler))
	return v, nil
}

// stop ends the requests that hang before it closes the server.
func (v *endpoints) stop() {
	close(v.release)
	_ = v.server.Close()
}

// ServeHTTP takes a delivery. The instant is taken before the body is read and verified, as that is the
// receiver's work.
func (v *endpoints) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, hang) {
		select {
		case <-v.release:
		case <-r.Context().Done():
		}
		return
	}
	now := time.Now()
	body, err := io.ReadAll(r.Body)
	account, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, hook), "/")
	v.mu.Lock()
	defer v.mu.Unlock()
	secret := v.secrets[account]
	if err != nil || notifier.VerifyService(r.Header, body, secret) != nil || notifier.VerifyStandard(r.Header, body, secret, now) != nil {
		v.forged++
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	at := arrival{r.Header.Get(notifier.HeaderStandardID), r.URL.Path}
	// Only the first arrival counts: a repetition is no new delivery.
	if v.came[at].IsZero() {
		v.came[at] = now
	}
}

// trust adds the secret of an account.
func (v *endpoints) trust(account string, s notifier.Secret) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.secrets[account] = s
}

// forgeries returns how many requests did not verify.
func (v *endpoints) forgeries() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.forged
}

// take returns what came since the last call.
func (v *endpoints) take() map[arrival]time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	out := v.came
	v.came = map[arrival]time.Time{}
	return out
}

// await waits until n deliveries have come, or until nothing has come for so long.
func (v *endpoints) await(ctx context.Context, n int, patience time.Duration) {
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
