package fetch_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/pkg/sftp"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"rollcall/ingest/fetch"
)

// sftpServer serves this machine's files to the user clerk with the password pw, and gives its address and
// the file of its key.
func sftpServer(t *testing.T) (address, known string) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	key, err := ssh.NewSignerFromKey(private)
	require.NoError(t, err)
	config := &ssh.ServerConfig{PasswordCallback: func(c ssh.ConnMetadata, password []byte) (*ssh.Permissions, error) {
		if c.User() != "clerk" || string(password) != "pw" {
			return nil, os.ErrPermission
		}
		return &ssh.Permissions{}, nil
	}}
	config.AddHostKey(key)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serveSFTP(conn, config)
		}
	}()
	known = filepath.Join(t.TempDir(), "known_hosts")
	line := knownhosts.Line([]string{listener.Addr().String()}, key.PublicKey())
	require.NoError(t, os.WriteFile(known, []byte(line+"\n"), 0o600))
	return listener.Addr().String(), known
}

func serveSFTP(conn net.Conn, config *ssh.ServerConfig) {
	defer func() { _ = conn.Close() }()
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for wanted := range channels {
		channel, asked, err := wanted.Accept()
		if err != nil {
			return
		}
		go func() {
			for r := range asked {
				_ = r.Reply(r.Type == "subsystem", nil)
			}
		}()
		server, err := sftp.NewServer(channel)
		if err != nil {
			return
		}
		_ = server.Serve()
		_ = channel.Close()
	}
}

func TestFilesAreFetchedFromAnSFTPServer(t *testing.T) {
	t.Parallel()
	address, known := sftpServer(t)
	folder := t.TempDir()
	for name, text := range map[string]string{"a.csv": "id\n1\n", "b.txt": "no", ".c.csv": "half"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	s := &fetch.Spec{Kind: "sftp", Server: address, Folder: folder, Pattern: `\.csv$`}
	login := fetch.Login{User: "clerk", Password: "pw", KnownHosts: known}
	require.Equal(t, map[string]string{"a.csv": "id\n1\n"}, lying(t, s, fetch.Keys{SFTP: login}))
	drop, err := s.Drop(t.Context(), fetch.Keys{SFTP: login})
	require.NoError(t, err)
	defer drop.Close()
	_, err = drop.Copy(t.Context(), "a.csv", filepath.Join(t.TempDir(), "a"), 3)
	require.ErrorIs(t, err, fetch.ErrIncomplete)

	_, other := sftpServer(t)
	for name, c := range map[string]struct {
		login fetch.Login
		want  string
	}{
		"a wrong password":                 {fetch.Login{User: "clerk", Password: "wrong", KnownHosts: known}, "sign in to SFTP server"},
		"an unknown server is not trusted": {fetch.Login{User: "clerk", Password: "pw", KnownHosts: other}, "knownhosts"},
		"no known servers":                 {fetch.Login{User: "clerk", Password: "pw"}, "ROLLCALL_SFTP_KNOWN_HOSTS"},
	} {
		_, err = s.Drop(t.Context(), fetch.Keys{SFTP: c.login})
		require.ErrorContains(t, err, c.want, name)
	}
}

// lying gives the texts of the files that lie at a place, by name.
func lying(t *testing.T, s *fetch.Spec, keys fetch.Keys) map[string]string {
	t.Helper()
	drop, err := s.Drop(t.Context(), keys)
	require.NoError(t, err)
	defer drop.Close()
	files, err := drop.List(t.Context())
	require.NoError(t, err)
	texts := map[string]string{}
	for i, o := range files {
		to := filepath.Join(t.TempDir(), strconv.Itoa(i))
		n, err := drop.Copy(t.Context(), o.Name, to, bounds.Bytes)
		require.NoError(t, err)
		require.Equal(t, o.Size, n)
		require.NotEmpty(t, o.Mark)
		require.False(t, o.Modified.IsZero())
		text, err := os.ReadFile(to)
		require.NoError(t, err)
		texts[o.Name] = string(text)
	}
	return texts
}

func TestASignInToAServerThatSaysNothingEnds(t *testing.T) {
	t.Parallel()
	_, known := sftpServer(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	s := &fetch.Spec{Kind: "sftp", Server: listener.Addr().String(), Pattern: `\.csv$`}
	login := fetch.Login{User: "clerk", Password: "pw", KnownHosts: known, Patience: 100 * time.Millisecond}
	_, err = s.Drop(t.Context(), fetch.Keys{SFTP: login})
	require.ErrorContains(t, err, "sign in to SFTP server")
}

func TestAFileIsFoundUnderItsNameInOtherLetterCase(t *testing.T) {
	t.Parallel()
	address, known := sftpServer(t)
	dir := t.TempDir()
	for _, name := range []string{"PHOTO.JPG", "photo.jpeg", "a.jpg", "A.jpg", "A.JPG"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
	}
	for _, s := range []*fetch.Spec{
		{Kind: "folder", Folder: dir, Pattern: `\.csv$`}, {Kind: "sftp", Server: address, Folder: dir, Pattern: `\.csv$`},
	} {
		drop, err := s.Drop(t.Context(), fetch.Keys{SFTP: fetch.Login{User: "clerk", Password: "pw", KnownHosts: known}})
		require.NoError(t, err)
		defer drop.Close()
		for name, want := range map[string]string{"photo.jpg": "PHOTO.JPG", "photo.JPEG": "photo.jpeg", "A.jpg": "A.jpg", "a.JPG": "", "b.jpg": ""} {
			text, err := drop.Beside(t.Context(), name, 100)
			require.Equal(t, want == "", err != nil, "%s %s", s.Kind, name)
			require.Equal(t, want, string(text), "%s %s", s.Kind, name)
		}
	}
}
