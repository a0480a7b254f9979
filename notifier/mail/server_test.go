package mail

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAServerIsReachedWithTLSUnlessItIsThisMachine(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]Server{
		"smtp://ann:p%40ss@mail.example.org":         {host: "mail.example.org", port: 587, user: "ann", password: "p@ss"},
		"smtp://mail.example.org:25?starttls=no":     {host: "mail.example.org", port: 25, plain: true},
		"smtps://ann:pass@mail.example.org":          {host: "mail.example.org", port: 465, user: "ann", password: "pass", implicit: true},
		"smtp://127.0.0.1:2525":                      {host: "127.0.0.1", port: 2525, plain: true},
		"smtp://localhost:2525/":                     {host: "localhost", port: 2525, plain: true},
		"smtps://ann:pass@mail.example.org:2465":     {host: "mail.example.org", port: 2465, user: "ann", password: "pass", implicit: true},
		"smtp://ann:pass@127.0.0.1:2525?starttls=no": {host: "127.0.0.1", port: 2525, user: "ann", password: "pass", plain: true},
	} {
		got, err := ParseServer(url)
		require.NoError(t, err, url)
		require.Equal(t, &want, got, url)
	}
	for _, url := range []string{
		"", "mail.example.org:587", "http://mail.example.org", "smtp://", "smtp://ann:secret@mail.example.org:99999", "smtp://ann:secret@mail.example.org/x",
		"smtp://ann:secret@mail.example.org?starttls=no", "smtp://ann:secret@mail.example.org?tls=no", "smtps://ann:secret@mail.example.org?starttls=no", "smtp://ann:sec ret@mail.example.org",
	} {
		_, err := ParseServer(url)
		require.Error(t, err, url)
		require.NotContains(t, err.Error(), "secret", "no error repeats a password")
	}
}
