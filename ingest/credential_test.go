package ingest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

func TestACredentialInADocumentIsNoticed(t *testing.T) {
	t.Parallel()
	require.Equal(t, []int{2, 3, 4, 5}, ingest.Credentials("id: jail\nurl: https://user:hunter22@jail.example/\nurl: https://jail.example/list?api_key=abcd1234\n"+
		"headers: {Authorization: 'Bearer abcdef'}\n  password: hunter22\ncookie: XSRF-TOKEN\nheaders: {X-XSRF: '{token}'}\nheader: X-Token\n"))
	for _, id := range ingest.Shipped() {
		text, err := os.ReadFile(filepath.Join("sources", id, "source.yaml"))
		require.NoError(t, err)
		require.Empty(t, ingest.Credentials(string(text)), id)
	}
}
