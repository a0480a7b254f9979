package notifier

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestDelivery(t *testing.T) {
	t.Parallel()
	for name, http2 := range map[string]bool{"to a receiver of HTTP/1.1": false, "to one that offers HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.now = func() time.Time { return moment }
			var got *http.Request
			var body []byte
			e := b.serve(t, http2, func(w http.ResponseWriter, r *http.Request) {
				got, body = r, read(r)
				w.WriteHeader(http.StatusAccepted)
				_, _ = io.WriteString(w, "thanks")
			})
			d := b.delivery(t, e.URL+"/in?token=1")
			d.Test, d.Match = true, &Match{Probability: 0.5, Level: "strict", Reasons: []string{"é"}}
			a, err := b.Send(t.Context(), d)
			require.NoError(t, err)
			require.Equal(t, Attempt{At: moment, Status: 202, Answer: "thanks", Class: ClassDelivered}, a)

			require.Equal(t, "POST /in?token=1", got.Method+" "+got.RequestURI)
			require.Equal(t, "HTTP/1.1", got.Proto)
			require.Equal(t, d.Body, body)
			require.NoError(t, VerifyService(got.Header, body, d.Keys.Current))
			require.NoError(t, VerifyStandard(got.Header, body, d.Keys.Current, moment))
			for _, name := range []string{HeaderSignature, HeaderStandardID, HeaderStandardTime, HeaderStandardSignature} {
				got.Header.Del(name)
			}
			require.Equal(t, http.Header{
				"Content-Type": {"application/json"}, "Content-Length": {strconv.Itoa(len(body))}, "User-Agent": {"rollcall/1.2.3"},
				HeaderTest: {"1"}, HeaderProbability: {"0.5"}, HeaderLevel: {"strict"}, HeaderReasons: {`["\u00e9"]`},
			}, got.Header, "nothing else is sent")
		})
	}
}

func TestAnyStatusOf200To299IsDelivered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		status, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil {
			status = http.StatusTeapot
		}
		w.WriteHeader(status)
	})
	for status, class := range map[string]Class{
		"200": ClassDelivered, "201": ClassDelivered, "204": ClassDelivered, "299": ClassDelivered,
		"300": ClassRedirect, "304": ClassRedirect, "399": ClassRedirect,
		"400": ClassStatus, "401": ClassStatus, "404": ClassStatus, "410": ClassStatus, "429": ClassStatus, "500": ClassStatus, "503": ClassStatus, "799": ClassStatus,
	} {
		a := b.send(t, e.URL+"/"+status)
		require.Equal(t, class, a.Class, status)
		require.Equal(t, status, strconv.Itoa(a.Status))
	}
	require.Equal(t, "answered 503 Service Unavailable", b.send(t, e.URL+"/503").Err)
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	elsewhere := b.serve(t, false, func(http.ResponseWriter, *http.Request) {})
	e := b.serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	})
	a := b.send(t, e.URL)
	require.Equal(t, ClassRedirect, a.Class)
	require.Equal(t, "answered 307 Temporary Redirect; redirects are not followed", a.Err)
	require.Zero(t, elsewhere.connections.Load())
}

func TestAnswerIsKeptUpTo1KiBAsText(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "\x00\xffbad "+strings.Repeat("x", 5000))
	})
	a := b.send(t, e.URL)
	require.True(t, a.Delivered())
	require.True(t, strings.HasPrefix(a.Answer, "\uFFFD\uFFFDbad xxx"))
	require.Equal(t, 1024-2, len(a.Answer)-len("\uFFFD\uFFFD"))
}

func TestWhatCannotBeSentIsNoAttempt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.serve(t, false, func(http.ResponseWriter, *http.Request) {})
	for name, change := range map[string]func(*Delivery){
		"a line break in the id":   func(d *Delivery) { d.EventID = "evt_1\r\nX-Evil: 1" },
		"no id":                    func(d *Delivery) { d.EventID = "" },
		"a dot in the id":          func(d *Delivery) { d.EventID = "evt.1" },
		"no secret":                func(d *Delivery) { d.Keys = Keyring{} },
		"plain http":               func(d *Delivery) { d.URL = "http" + strings.TrimPrefix(e.URL, "https") },
		"a password":               func(d *Delivery) { d.URL = "https://u:p@" + strings.TrimPrefix(e.URL, "https://") },
		"a line break in the host": func(d *Delivery) { d.URL = "https://a\r\nHost: b/?token=hidden" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := b.delivery(t, e.URL)
			change(&d)
			a, err := b.Send(t.Context(), d)
			require.Error(t, err)
			require.NotContains(t, err.Error(), "hidden")
			require.Zero(t, a)
		})
	}
	require.Zero(t, e.connections.Load())
}

func TestAnAttemptThatWeCallOffIsNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	stopping := errors.New("stopping")
	e := b.serve(t, false, func(_ http.ResponseWriter, r *http.Request) {
		read(r)
		cancel(stopping)
		<-r.Context().Done()
	})
	a, err := b.Send(ctx, b.delivery(t, e.URL))
	require.ErrorIs(t, err, stopping)
	require.Zero(t, a)
}

func TestProxiesOfTheEnvironmentAreNotUsed(t *testing.T) {
	proxied := false
	b := setup(t)
	proxy := b.serve(t, false, func(http.ResponseWriter, *http.Request) { proxied = true })
	t.Setenv("HTTPS_PROXY", proxy.URL)
	e := b.serve(t, false, func(http.ResponseWriter, *http.Request) {})
	require.True(t, b.send(t, e.URL).Delivered())
	require.False(t, proxied)
	require.Nil(t, b.transport.Proxy)
}

func TestLoadRoots(t *testing.T) {
	t.Parallel()
	ca := newAuthority(t)
	roots, err := LoadRoots(ca.file(t))
	require.NoError(t, err)
	b := setup(t, func(o *ClientOptions) { o.Roots = roots })
	b.ca = ca
	e := b.serve(t, false, func(http.ResponseWriter, *http.Request) {})
	require.True(t, b.send(t, e.URL).Delivered())

	_, err = ca.cert.Verify(x509.VerifyOptions{Roots: roots})
	require.NoError(t, err)
	_, err = LoadRoots(filepath.Join(t.TempDir(), "none.pem"))
	require.ErrorIs(t, err, os.ErrNotExist)
	empty := filepath.Join(t.TempDir(), "empty.pem")
	require.NoError(t, os.WriteFile(empty, []byte("no certificate"), 0o600))
	_, err = LoadRoots(empty)
	require.ErrorContains(t, err, "holds no certificate in PEM")
}

func TestReceiverTakesWhatTheClientSends(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.keys.Next = NewSecret()
	for name, secret := range map[string]Secret{"with the old secret": b.keys.Current, "with the new secret": b.keys.Next} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []Received
			v := &Receiver{Secret: secret, Now: time.Now, Accept: func(r Received) { got = append(got, r) }}
			e := b.serve(t, true, v.ServeHTTP)
			d := b.delivery(t, e.URL)
			d.Test = true
			for range 2 {
				a, err := b.Send(t.Context(), d)
				require.NoError(t, err)
				require.Equal(t, 200, a.Status)
			}
			require.Len(t, got, 2)
			require.Equal(t, Received{
				ID: "evt_1", At: got[0].At, Event: models.EventBooking, AlertID: "test", RecordID: "example-2026-000000", Body: d.Body, Test: true,
			}, got[0])
			require.True(t, got[1].Repeated)
		})
	}
}

// read takes the whole body of a request.
func read(r *http.Request) []byte {
	b, err := io.ReadAll(r.Body)
	if err != nil || !json.Valid(b) {
		return nil
	}
	return b
}
