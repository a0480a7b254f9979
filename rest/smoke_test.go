package rest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func decode(t testing.TB, body string, into any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(body), into))
}

func TestSmoke(t *testing.T) {
	b := setup(t)
	for _, p := range []string{"/roster", "/courts", "/corrections", "/counties?limit=2", "/sources", "/usage", "/roster/x", "/nothing", "/courts/", "/courts/x/y", "/roster?limit=x"} {
		t.Log(p, b.get(t, p))
	}
	t.Log(b.do(t, "POST", "/roster"))
	t.Log(b.do(t, "FOO", "/roster/x"))
	t.Log(b.do(t, "FOO", "/ros"))
	t.Log(b.do(t, "HEAD", "/roster"))
}
