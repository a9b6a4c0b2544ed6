// What of pcsclite's winscard.h is used. That header includes its neighbours as if their folder were searched, which only pkg-config
// arranges, and SwiftPM warns at every build of what else pkg-config says.
#include <stdint.h>

typedef unsigned long DWORD;
typedef long LONG;
typedef LONG SCARDCONTEXT;
typedef LONG SCARDHANDLE;

typedef struct {
    const char *szReader;
    void *pvUserData;
    DWORD dwCurrentState;
    DWORD dwEventState;
    DWORD cbAtr;
    unsigned char rgbAtr[33];
} SCARD_READERSTATE;

typedef struct {
    unsigned long dwProtocol;
    unsigned long cbPciLength;
} SCARD_IO_REQUEST;

LONG SCardEstablishContext(DWORD dwScope, const void *pvReserved1, const void *pvReserved2, SCARDCONTEXT *phContext);
LONG SCardReleaseContext(SCARDCONTEXT hContext);
LONG SCardListReaders(SCARDCONTEXT hContext, const char *mszGroups, char *mszReaders, DWORD *pcchReaders);
LONG SCardGetStatusChange(SCARDCONTEXT hContext, DWORD dwTimeout, SCARD_READERSTATE *rgReaderStates, DWORD cReaders);
LONG SCardConnect(
    SCARDCONTEXT hContext, const char *szReader, DWORD dwShareMode, DWORD dwPreferredProtocols, SCARDHANDLE *phCard, DWORD *pdwActiveProtocol);
LONG SCardDisconnect(SCARDHANDLE hCard, DWORD dwDisposition);
LONG SCardBeginTransaction(SCARDHANDLE hCard);
LONG SCardStatus(
    SCARDHANDLE hCard, char *szReaderName, DWORD *pcchReaderLen, DWORD *pdwState, DWORD *pdwProtocol, unsigned char *pbAtr, DWORD *pcbAtrLen);
LONG SCardTransmit(
    SCARDHANDLE hCard, const SCARD_IO_REQUEST *pioSendPci, const unsigned char *pbSendBuffer, DWORD cbSendLength,
    SCARD_IO_REQUEST *pioRecvPci, unsigned char *pbRecvBuffer, DWORD *pcbRecvLength);
