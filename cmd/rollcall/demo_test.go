package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/internal/cmdtest"
	"rollcall/internal/demo"
	"rollcall/internal/service"
)

var (
	keyPattern  = regexp.MustCompile(`rc_live_\w+`)
	basePattern = regexp.MustCompile(`API +(\S+/v1)`)
)

// paste runs the curl lines that were printed.
func paste(t *testing.T, said string) {
	t.Helper()
	require.Equal(t, 3, strings.Count(said, "  curl "))
	if _, err := exec.LookPath("curl"); err != nil && os.Getenv("CI") != "true" {
		t.Skip("curl is not installed")
	}
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "curl ") {
			out, err := exec.CommandContext(t.Context(), "sh", "-c", line).Output()
			require.NoError(t, err, line)
			require.Regexp(t, `"total":[1-9]`, string(out), line)
		}
	}
}

// TestDemo has the machine to itself, as a newcomer has.
// readMail signs in by the printed link, waits for a mail in the mailbox and opens its link as its reader would.
func readMail(t *testing.T, said string) {
	t.Helper()
	enter := regexp.MustCompile(`Dashboard  (\S+)`).FindStringSubmatch(said)[1]
	box := regexp.MustCompile(`Mailbox    (\S+)`).FindStringSubmatch(said)[1]
	root := strings.TrimSuffix(box, "/mailbox")
	guest := stranger(t, root)
	require.NotContains(t, all(t, guest.send(http.MethodGet, "/mailbox", "")), "<h1>Mailbox", "it is for those who are signed in")
	all(t, guest.send(http.MethodGet, strings.TrimPrefix(enter, root), ""))
	var link string
	require.Eventually(t, func() bool {
		link = regexp.MustCompile(`/mail/hit/[\w-]+`).FindString(all(t, guest.send(http.MethodGet, "/mailbox", "")))
		return link != ""
	}, time.Minute, 100*time.Millisecond)
	require.Contains(t, all(t, stranger(t, root).send(http.MethodGet, link, "")), "What was reported")
}

func TestDemo(t *testing.T) {
	env := cmdtest.Environment(t)
	first := cmdtest.Start(t, inProcess, env, "demo", "--port", "0", "--pace", "200ms")
	said := first.Stdout.Await(t, "Ctrl-C stops", first.Ended)
	key, base := keyPattern.FindString(said), basePattern.FindStringSubmatch(said)[1]

	t.Run("the printed lines work when pasted", func(t *testing.T) { paste(t, said) })

	t.Log("other commands join the running database")
	var accounts bytes.Buffer
	require.Equal(t, 0, run(t.Context(), []string{"account", "list", "--json"}, &accounts, first.Stderr, env.Get))
	require.Contains(t, accounts.String(), demo.Email)

	t.Log("a source of it is switched off and on, by its document in the data directory")
	var sources, done bytes.Buffer
	require.Equal(t, 0, run(t.Context(), []string{"sources", "list"}, &sources, first.Stderr, env.Get))
	source := regexp.MustCompile(`demo-[\w-]+`).FindString(sources.String())
	require.Equal(t, 0, run(t.Context(), []string{"sources", "disable", source}, &done, first.Stderr, env.Get))
	require.Equal(t, 0, run(t.Context(), []string{"sources", "enable", source}, &done, first.Stderr, env.Get))
	require.Regexp(t, "^Disabled "+source+`\.\nEnabled `+source+`; it runs every \d+s\.\n$`, done.String())
	require.Equal(t, 1, run(t.Context(), []string{"sources", "enable", "demo-none"}, &done, first.Stderr, env.Get))

	t.Log("verified webhooks are printed live")
	first.Stdout.Await(t, "  alert alrt_", first.Ended)

	t.Run("mails arrive in its mailbox, and their links work", func(t *testing.T) { readMail(t, said) })

	t.Log("jails change while it runs")
	since := time.Now().UTC().Format(time.RFC3339)
	require.Eventually(t, func() bool {
		status, body := cmdtest.Ask(t, base+"/roster?updated_since="+since, key)
		return status == http.StatusOK && body["total"] != float64(0)
	}, time.Minute, 100*time.Millisecond)

	_, released := cmdtest.Ask(t, base+"/roster?status=released&limit=1", key)
	record := regexp.MustCompile(`[a-z-]+-\d{4}-\d{6}`).FindString(fmt.Sprint(released))
	status, before := cmdtest.Ask(t, base+"/roster/"+record, key)
	require.Equal(t, http.StatusOK, status)
	first.Stop(t)

	t.Log("a second start keeps the data and ends the first key")
	again := cmdtest.Start(t, inProcess, env, "demo", "--port", "0")
	said = again.Stdout.Await(t, "Ctrl-C stops", again.Ended)
	second, base := keyPattern.FindString(said), basePattern.FindStringSubmatch(said)[1]
	status, _ = cmdtest.Ask(t, base+"/roster", key)
	require.Equal(t, http.StatusUnauthorized, status)
	status, after := cmdtest.Ask(t, base+"/roster/"+record, second)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, before["booking_date"], after["booking_date"])
	again.Stop(t)
}

func TestTheDemoSaysThatThereAreNoFigures(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	a := &service.App{Config: service.Config{BaseURL: "http://localhost:8080/v1", MetricsAddr: "off"}, Stdout: &said}
	s := &service.Service{App: a}
	require.NoError(t, s.StartMetrics(t.Context()))
	demoCmd{}.welcome(a, s, auth.NewKey(), "http://localhost:8080/")
	require.Contains(t, said.String(), "Metrics    off (ROLLCALL_METRICS_ADDR)\n")
	require.Contains(t, said.String(), "Mails      by the server of ROLLCALL_SMTP_URL\n")
	require.NotContains(t, said.String(), "/mailbox", "with a mail server the demo has no mailbox")
}
