package fetch_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"net"
	"os"
	"path/filepath"
	"testing"

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
	dir := t.TempDir()
	files, err := s.Download(t.Context(), login, bounds, dir)
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "a.csv")}, files)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Equal(t, "id\n1\n", string(text))

	small := bounds
	small.Bytes = 3
	_, err = s.Download(t.Context(), login, small, t.TempDir())
	require.ErrorIs(t, err, fetch.ErrIncomplete)
	_, err = s.Download(t.Context(), fetch.Login{User: "clerk", Password: "wrong", KnownHosts: known}, bounds, t.TempDir())
	require.ErrorContains(t, err, "sign in to SFTP server")
	_, other := sftpServer(t)
	_, err = s.Download(t.Context(), fetch.Login{User: "clerk", Password: "pw", KnownHosts: other}, bounds, t.TempDir())
	require.ErrorContains(t, err, "knownhosts", "an unknown server is not trusted")
	_, err = s.Download(t.Context(), fetch.Login{User: "clerk", Password: "pw"}, bounds, t.TempDir())
	require.ErrorContains(t, err, "ROLLCALL_SFTP_KNOWN_HOSTS")
}
