package day

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
	"rollcall/internal/receiver"
	"rollcall/internal/testdb"
)

func TestMain(m *testing.M) { cmdtest.Main(m) }

// office is a service in a process of its own, with a jail whose files the test writes.
type office struct {
	t *testing.T
	// day is the whole test, with which the service ends.
	day  *testing.T
	env  cmdtest.Variables
	cert *receiver.Certificate
	// base is the address of /v1.
	base    string
	process *cmdtest.Process
	booked  time.Time
	// reads counts the files of the jail.
	reads int
}

// names are in the jail. The first is the one that is watched.
func names() []string {
	return []string{
		"MOONSAIL, WREN", "QUILLFEATHER, ORLA", "BRACKENRIDGE, TOLLIVER", "THISTLEDOWN, PIP", "ABERNETHY, QUENTIN", "LARKSPUR, IGNATIUS",
		"OSTRANDER, BEATRIX", "FENWICKE, HORATIO", "VANTONGEREN, ZELDA", "MCGILLICUDDY, CASPIAN",
	}
}

// open starts a service and reads the jail's first file.
func open(t *testing.T) *office {
	t.Helper()
	cert, err := receiver.NewCertificate(time.Now())
	require.NoError(t, err)
	caFile := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(caFile, cert.PEM(), 0o600))
	address := "127.0.0.1:" + freePort(t)
	o := &office{t: t, day: t, base: "http://" + address + "/v1", cert: cert, booked: time.Now().Add(-time.Hour), env: cmdtest.Variables{
		"ROLLCALL_DATABASE_URL": testdb.New(t).URL, "ROLLCALL_DATA_DIR": t.TempDir(), "ROLLCALL_ADDR": address, "ROLLCALL_BASE_URL": "http://" + address + "/v1", "ROLLCALL_METRICS_ADDR": "off",
		"ROLLCALL_WEBHOOK_ALLOW": "127.0.0.1/32", "ROLLCALL_WEBHOOK_CA_FILE": caFile, "ROLLCALL_LOG_LEVEL": "info",
	}}
	o.serve()
	t.Cleanup(func() { o.process.Interrupt(); <-o.process.Ended })
	o.jail(1000)
	return o
}

// serve starts the service. It keeps its address over a restart.
func (o *office) serve() {
	o.t.Helper()
	o.process = cmdtest.Start(o.day, cmdtest.Built(o.day), o.env, "serve")
	o.process.Stderr.Await(o.t, "serving", o.process.Ended)
}

// restart ends the service in order and starts it again, as an operator who installs a new version does.
func (o *office) restart() {
	o.t.Helper()
	o.process.Stop(o.t)
	o.serve()
}

// run runs a command that has to succeed and returns what it prints.
func (o *office) run(args ...string) string {
	o.t.Helper()
	out, errOut := cmdtest.NewOutput(), cmdtest.NewOutput()
	require.Equal(o.t, 0, cmdtest.Built(o.t)(o.t.Context(), args, out, errOut, o.env), "%v\n%s", args, errOut)
	return out.String()
}

// text runs a command with --json and returns a member of what it prints.
func (o *office) text(member string, args ...string) string {
	o.t.Helper()
	var said map[string]any
	require.NoError(o.t, json.Unmarshal([]byte(o.run(append(args, "--json")...)), &said))
	text, is := said[member].(string)
	require.True(o.t, is, "%v", said)
	return text
}

// jail reads a file in which the watched person has this bond.
func (o *office) jail(bond int) {
	o.t.Helper()
	o.reads++
	at := time.Now().Add(time.Duration(o.reads-40) * time.Minute)
	o.run("ingest", "--source", "common-csv", "--file", cmdtest.Snapshot(o.t, o.t.TempDir(), names(), o.booked, at, bond))
}

// account makes a customer and returns its id and key.
func (o *office) account(name string) (id, key string) {
	o.t.Helper()
	id = o.text("id", "account", "create", "--name", name, "--email", name+"@example.org", "--plan", "enterprise")
	return id, o.text("key", "key", "create", "--account", id, "--label", "day")
}

// receive serves h over TLS at an address that the service trusts.
func (o *office) receive(h http.Handler) string {
	o.t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.TLS = o.cert.Server()
	s.StartTLS()
	o.t.Cleanup(s.Close)
	return s.URL
}

// desk serves what an integrator's colleagues do, for a client in another process: POST /jail?bond=2000 reads a file,
// POST /restart restarts the service, and POST /secret, /rotate and /finish print the secret that receivers need.
func (o *office) desk(account string) string {
	o.t.Helper()
	secret := func(args ...string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) {
			member := map[string]string{"/rotate": "next_secret"}[r.URL.Path]
			if member == "" {
				member = "secret"
			}
			_, _ = io.WriteString(w, o.text(member, append([]string{"webhook", "secret"}, append(args, "--account", account)...)...)) //nolint:contextcheck // a command ends with the test
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /jail", func(_ http.ResponseWriter, r *http.Request) {
		if bond, err := strconv.Atoi(r.URL.Query().Get("bond")); err == nil {
			o.jail(bond) //nolint:contextcheck // a command ends with the test
		}
	})
	mux.HandleFunc("POST /restart", func(http.ResponseWriter, *http.Request) { o.restart() }) //nolint:contextcheck // the service ends with the test
	mux.HandleFunc("POST /secret", secret("show"))
	mux.HandleFunc("POST /rotate", secret("rotate"))
	mux.HandleFunc("POST /finish", secret("rotate", "--finish"))
	s := httptest.NewServer(mux)
	o.t.Cleanup(s.Close)
	return s.URL
}
