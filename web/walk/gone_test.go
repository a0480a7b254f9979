package walk

import (
	"context"
	"crypto/x509"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
	"rollcall/internal/public"
	"rollcall/internal/service"
	"rollcall/models/store"
	"rollcall/notifier"
)

// sends runs a sender over the terminal's database that soon tries again, and trusts one receiver of this machine. matched
// makes the deliveries of what has happened.
func sends(x *cmdtest.Terminal, receiver *httptest.Server) (matched func()) {
	t := x.T
	t.Helper()
	app := &service.App{Config: service.Config{DatabaseURL: x.URL, DataDir: x.Data}}
	secrets, err := app.SecretKeys()
	require.NoError(t, err)
	seal, err := notifier.NewSealer(secrets...)
	require.NoError(t, err)
	store, err := store.Open(t.Context(), x.URL, store.Options{Secret: secrets[0]})
	require.NoError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(receiver.Certificate())
	client := notifier.NewClient(notifier.ClientOptions{Guard: public.New(thisMachine), Version: "test", Roots: roots})
	s := notifier.NewSender(notifier.SenderOptions{
		Store: store, Client: client, Seal: seal, Log: slog.New(slog.DiscardHandler), Retries: notifier.Retries{time.Millisecond, time.Millisecond, time.Millisecond},
	})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		client.Close()
		store.Close()
	})
	return func() {
		t.Helper()
		n, err := (&notifier.Matcher{Store: store, Standing: notifier.NewStanding(store, slog.New(slog.DiscardHandler))}).Drain(t.Context())
		require.NoError(t, err)
		require.Positive(t, n)
	}
}

// thisMachine is where receivers of tests listen.
var thisMachine = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

func TestAnEndpointThatIsGoneIsDisabledAndDeliversAgainOnceEnabledInABrowser(t *testing.T) {
	t.Parallel()
	chromium(t)
	x := newTerminal(t)
	var status, letters atomic.Int64
	status.Store(http.StatusGone)
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		letters.Add(1)
		w.WriteHeader(int(status.Load()))
	}))
	receiver.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	receiver.StartTLS()
	t.Cleanup(receiver.Close)
	root, door := x.Serve("Desk", func(c *service.Config) { c.WebhookAllow = thisMachine })
	matched := sends(x, receiver)
	b := newTab(t, root)
	b.joins(door)
	b.visit("/settings/webhooks")
	b.do(chromedp.SendKeys(chromedp.CSS("#url"), receiver.URL+"/hook"))
	b.submit("form.fields button")
	hook, _, _ := strings.Cut(b.path(), "?")
	var made struct{ CreateAlert struct{ ID string } }
	b.ask(`mutation { createAlert(input: {name: "Wren Moonsail"}) { id } }`, &made)
	x.OK("ingest", "--source", "common-csv", "--file", cmdtest.Snapshot(t, t.TempDir(), []string{"MOONSAIL, WREN"}, time.Now().Add(-time.Hour), time.Now(), 1000))
	matched()
	b.visit(hook)
	b.until(`document.querySelector("[data-delivery]").innerText.includes("4 attempts") && document.querySelector("[data-delivery]").innerText.includes("dropped: every attempt failed")`)
	require.Equal(t, int64(4), letters.Load(), "one 410 disables nothing: it runs its course")
	b.visit(hook)
	for _, part := range []string{
		"Disabled: the endpoint answered 410 Gone to the last attempt of a delivery", "Nothing is sent to this endpoint",
		"enter its new address under Change it", "Enable it again", "what it missed",
	} {
		require.Contains(t, b.text(), part)
	}
	require.True(t, eval[bool](b, `document.querySelector("form[action$='/test'] button").disabled`))
	b.soundly()
	b.photographed("webhook-disabled")
	b.visit("/settings/webhooks")
	require.Regexp(t, `(?s)/hook.*disabled`, b.text())

	t.Log("its receiver is back")
	status.Store(http.StatusOK)
	b.visit(hook)
	b.submit("form[action$='/enable'] button")
	require.Contains(t, b.text(), "The endpoint is enabled. Its earlier failures no longer count")
	require.NotContains(t, b.text(), "Disabled:")
	b.submit("form[action$='/replay#replay'] button")
	require.Contains(t, b.text(), "1 delivery would be sent again")
	b.submit("[name=sure]")
	b.until(`document.querySelector("[data-delivery]").innerText.includes("5 attempts") && document.querySelector("[data-delivery] .chip.good")`)
	require.Equal(t, int64(5), letters.Load())
	b.visit(hook)
	require.Equal(t, "active", eval[string](b, `document.querySelector(".person .chip").textContent`))
	b.visit("/settings/trail")
	require.Contains(t, b.text(), "webhook enabled")
	b.clean()
}
