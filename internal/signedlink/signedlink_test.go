package signedlink_test

import (
	"path"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/signedlink"
)

func TestALinkOpensUntilItsSecretIsTakenAway(t *testing.T) {
	t.Parallel()
	older, newer := []byte("an older key of a test, 32 bytes"), []byte("a newer key of a test, 32 bytes!")
	links := func(secret []byte, older ...[]byte) *signedlink.Links {
		t.Helper()
		l, err := signedlink.New(secret, "https://records.example", older...)
		require.NoError(t, err)
		return l
	}
	target := signedlink.Target{ID: "hook_1", Address: "mailto:a@example.org"}
	token := path.Base(links(older).URL(signedlink.Unsubscribe, target))
	got, err := links(newer, older).Open(signedlink.Unsubscribe, token, time.Now())
	require.NoError(t, err)
	require.Equal(t, target, got)
	_, err = links(newer, older).Open(signedlink.Confirm, token, time.Now())
	require.Error(t, err, "for its purpose alone")
	_, err = links(newer).Open(signedlink.Unsubscribe, token, time.Now())
	require.Error(t, err)
	_, err = links(older).Open(signedlink.Unsubscribe, path.Base(links(newer, older).URL(signedlink.Unsubscribe, target)), time.Now())
	require.Error(t, err, "new ones are made under the present key")
}
