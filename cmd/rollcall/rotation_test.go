package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/raw"
	"rollcall/internal/cmdtest"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/notifier"
)

// safe is a terminal whose database holds two documents, some quarantined rows and a webhook secret that is being
// replaced, all under one key.
type safe struct {
	*terminal
	store   *store.Store
	account string
	secrets []string // the webhook secrets in the open
	rows    int
}

var oldKey, newKey = strings.Repeat("o", 40), strings.Repeat("n", 40)

func newSafe(t *testing.T) *safe {
	t.Helper()
	v := &safe{terminal: newTerminal(t)}
	v.keys(oldKey)
	document, sample := pinewood(t)
	file := v.put("pinewood.yaml", document)
	for i, rows := range []int{12, 300} {
		code, out := v.Run("ingest", "--source", file, v.put(fmt.Sprintf("pinewood_2026-03-09_06-%02d-00.csv", i), spoilt(sample, rows)))
		require.Equal(t, 1, code, out)
	}
	v.account = v.terminal.account("enterprise")
	var err error
	v.store, err = store.Open(t.Context(), v.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(v.store.Close)
	seal, err := notifier.NewSealer(v.given()...)
	require.NoError(t, err)
	current, next := notifier.NewSecret(), notifier.NewSecret()
	_, err = v.store.CreateWebhook(t.Context(), v.account, &models.NewWebhook{URL: "https://hooks.example.org/in", Events: models.EventKinds()}, seal.Seal(current, v.account))
	require.NoError(t, err)
	_, err = v.store.BeginRotation(t.Context(), v.account, seal.Seal(next, v.account))
	require.NoError(t, err)
	v.secrets = []string{current.Reveal(), next.Reveal()}
	require.NoError(t, v.store.Pool().QueryRow(t.Context(), `select count(*) from quarantine`).Scan(&v.rows))
	require.Greater(t, v.rows, 250, "more than a batch")
	return v
}

// keys writes the secret keys that commands are given, the present one first.
func (v *safe) keys(all ...string) {
	v.T.Helper()
	require.NoError(v.T, os.WriteFile(filepath.Join(v.Data, "secret.key"), []byte(strings.Join(all, "\n")+"\n"), 0o600))
}

// given are the keys that a command derives from.
func (v *safe) given() [][]byte {
	v.T.Helper()
	keys, err := (&service.App{Config: service.Config{DataDir: v.Data}}).SecretKeys()
	require.NoError(v.T, err)
	return keys
}

// readable asserts that the keys open every document, row and secret, and that each says what it said at first.
func (v *safe) readable() {
	t := v.T
	t.Helper()
	seal, err := raw.NewSeal(v.given()...)
	require.NoError(t, err)
	archive := raw.Archive{Store: v.store, Seal: seal}
	var runs []int64
	require.NoError(t, v.store.Pool().QueryRow(t.Context(), `select array_agg(run_id order by run_id) from archives`).Scan(&runs))
	require.Len(t, runs, 2)
	for i, run := range runs {
		kept, err := v.store.Archives(t.Context(), run)
		require.NoError(t, err)
		require.Len(t, kept, 1)
		path := filepath.Join(t.TempDir(), "document")
		require.NoError(t, archive.Unpack(t.Context(), "pinewood", kept[0], path))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(text), fmt.Sprintf("#END %d\n", 3+[]int{12, 300}[i]))
	}
	var rows []source.QuarantineEntry
	require.NoError(t, v.store.Gorm().Find(&rows).Error)
	require.Len(t, rows, v.rows)
	for _, r := range rows {
		plain, err := seal.Open(r.Encrypted, raw.Quarantine(r.SourceID))
		require.NoError(t, err)
		require.Contains(t, string(plain), "THISTLEDOWN, PIP")
		require.True(t, seal.Matches(r.Fingerprint, r.Field, r.Reason, string(plain)))
	}
	var shown []string
	for _, name := range []string{"secret", "next_secret"} {
		text, _ := v.Fields("webhook", "secret", "show", "--account", v.account, "--json")[name].(string)
		shown = append(shown, text)
	}
	require.Equal(t, v.secrets, shown)
}

// exec changes the database.
func (v *safe) exec(sql string) {
	v.T.Helper()
	_, err := v.store.Pool().Exec(v.T.Context(), sql)
	require.NoError(v.T, err)
}

// under returns how many documents, rows and secrets are under the key in a line of the list.
func (v *safe) under(line int, state ...any) {
	t := v.T
	t.Helper()
	_, out := v.Run("secrets", "list")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Greater(t, len(lines), line, out)
	require.Regexp(t, `^\S+( \S+)?  +`+fmt.Sprintf("%s +%d +%d +%d$", state...), lines[line], out)
}

func TestASecretKeyIsReplacedAlsoWhenTheProcessIsKilled(t *testing.T) {
	t.Parallel()
	v := newSafe(t)
	v.readable()
	v.under(1, "in use", 2, v.rows, 2)

	t.Log("without the old key nothing is readable, and each command and the service say so")
	v.keys(newKey)
	v.under(2, "NOT GIVEN", 2, v.rows, 2)
	code, _ := v.Run("secrets", "list", "--json")
	require.Equal(t, 1, code)
	require.Contains(t, v.Stderr, "add it to ROLLCALL_SECRET_KEYS_OLD")
	code, _ = v.Run("webhook", "secret", "show", "--account", v.account)
	require.Equal(t, 1, code)
	require.Contains(t, v.Stderr, "which is not given: add that key to ROLLCALL_SECRET_KEYS_OLD")
	code, out := v.Run("secrets", "rotate", "--json")
	require.Equal(t, 1, code)
	require.Contains(t, out, fmt.Sprintf(`"left": %d`, 4+v.rows))
	require.Contains(t, v.Stderr, "document 1 of pinewood: decrypt archived bytes: it is encrypted under the secret key")
	v.serves("what is stored under a secret key cannot be read: add the key to ROLLCALL_SECRET_KEYS_OLD")

	t.Log("a rotation is killed after the secrets, the rows and one document")
	v.keys(newKey, oldKey)
	v.readable()
	v.exec(`create function wait_there() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$`)
	v.exec(`create trigger wait before update on archive_chunks for each row when (old.content_id = (2)) execute function wait_there()`)
	held, err := v.store.Pool().Acquire(t.Context())
	require.NoError(t, err)
	_, err = held.Exec(t.Context(), `select pg_advisory_lock(4711)`)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), cmdtest.Binary(t), "secrets", "rotate")
	cmd.Env = append(os.Environ(), "ROLLCALL_DATABASE_URL="+v.URL, "ROLLCALL_DATA_DIR="+v.Data)
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		var waits bool
		return v.store.Pool().QueryRow(t.Context(), `select exists (select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted and database = (select oid from pg_database where datname = current_database()))`).Scan(&waits) == nil && waits
	}, time.Minute, 20*time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	v.exec(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 4711 and not granted and database = (select oid from pg_database where datname = current_database())`)
	_, err = held.Exec(t.Context(), `select pg_advisory_unlock_all()`)
	require.NoError(t, err)
	held.Release()
	v.exec(`drop trigger wait on archive_chunks`)
	v.under(1, "in use", 1, v.rows, 2)
	v.under(2, "old", 1, 0, 0)
	v.readable()

	t.Log("the next one does what was left, and then nothing needs the old key")
	done := v.Fields("secrets", "rotate", "--json")
	require.Equal(t, []any{1.0, 0.0, 0.0, 0.0}, []any{done["documents"], done["rows"], done["accounts"], done["left"]})
	v.under(2, "old, can be taken away", 0, 0, 0)
	require.Contains(t, v.OK("secrets", "rotate"), "Nothing is left under another key.")
	v.keys(newKey)
	v.readable()
	v.OK("secrets", "list")
}

func TestWhatWasStoredBeforeKeysHadIDsIsReadAndRenewed(t *testing.T) {
	t.Parallel()
	v := newSafe(t)
	v.exec(`update archive_chunks set encrypted = substring(encrypted from 13)`)
	v.exec(`update archive_contents set digest = substring(digest from 13)`)
	v.exec(`update quarantine set encrypted = substring(encrypted from 13), fingerprint = substring(fingerprint from 13)`)
	v.readable()
	v.under(2, "old", 2, v.rows, 0)
	v.keys(newKey)
	v.under(2, "NOT GIVEN", 2, v.rows, 0)
	v.keys(newKey, oldKey)
	done := v.Fields("secrets", "rotate", "--json")
	require.Equal(t, []any{2.0, float64(v.rows), 1.0, 0.0}, []any{done["documents"], done["rows"], done["accounts"], done["left"]})
	v.keys(newKey)
	v.readable()
}

// serves starts the service and asserts that its log says something.
func (v *safe) serves(says string) {
	t := v.T
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	log := cmdtest.NewOutput()
	ended := make(chan int, 1)
	env := cmdtest.Variables{
		"ROLLCALL_DATABASE_URL": v.URL, "ROLLCALL_DATA_DIR": v.Data, "ROLLCALL_ADDR": "127.0.0.1:0", "ROLLCALL_METRICS_ADDR": "off", "ROLLCALL_LIST_INDEX": "off",
	}
	go func() { ended <- run(ctx, []string{"serve", "--no-jobs"}, io.Discard, log, env.Get) }()
	log.Await(t, says, ended)
	cancel()
	require.Zero(t, <-ended)
}
