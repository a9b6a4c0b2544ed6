import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB
