package web_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACopyOfAnAlertIsKnownWhereOneIsMade(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		require.Empty(t, os.Getenv("CI"), "CI needs node to check the modules of the pages")
		t.Skip("node is not installed: same.js is not checked")
	}
	module, err := filepath.Abs(filepath.Join("static", "same.js"))
	require.NoError(t, err)
	type fields map[string]any
	alert := fields{"name": "Wren O’Moonsail", "level": "NORMAL", "county": fields{"slug": "hall"}, "dob": "1990-02-28"}
	aged := fields{"name": "Wren Moonsail", "level": "NORMAL", "county": nil, "age": 34, "ageOn": "2026-01-02"}
	cases := []struct {
		Alert, Asked fields
		Same         bool
	}{
		{alert, fields{"name": "OMOONSAIL, Wrén", "level": "NORMAL", "county": "hall", "dob": "1990-02-28"}, true},
		{alert, fields{"name": "Wren O'Moonsail", "level": "WIDE", "county": "hall", "dob": "1990-02-28"}, false},
		{alert, fields{"name": "Wren O'Moonsail", "level": "NORMAL", "county": nil, "dob": "1990-02-28"}, false},
		{alert, fields{"name": "Wren O'Moonsail", "level": "NORMAL", "county": "hall", "birthYear": 1990}, false},
		{alert, fields{"name": "Wren Ida O'Moonsail", "level": "NORMAL", "county": "hall", "dob": "1990-02-28"}, false},
		{aged, fields{"name": "Wren Moonsail", "level": "NORMAL", "county": nil, "age": 34, "ageOn": "2026-08-02"}, true},
		{aged, fields{"name": "Wren Moonsail", "level": "NORMAL", "county": nil, "age": 33, "ageOn": "2026-08-02"}, false},
		{aged, fields{"name": "Wren Moonsail", "level": "NORMAL", "county": nil}, false},
	}
	given, err := json.Marshal(cases)
	require.NoError(t, err)
	script := `import { same } from ` + `"file://` + module + `"; console.log(JSON.stringify(` + string(given) + `.map((c) => same(c.Alert, c.Asked))))`
	out, err := exec.CommandContext(t.Context(), node, "--input-type=module", "-e", script).CombinedOutput()
	require.NoError(t, err, string(out))
	var found []bool
	require.NoError(t, json.Unmarshal(out, &found), string(out))
	for i, c := range cases {
		require.Equal(t, c.Same, found[i], "%v %v", c.Alert, c.Asked)
	}
}
